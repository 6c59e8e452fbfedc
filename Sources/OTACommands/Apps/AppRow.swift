import Bundles
import Foundation
import Releases

/// An app as commands show it.
struct AppRow: Encodable {
    let app, title, slug, access: String
    let listed: Bool
    /// What each channel offers.
    let channels: [String: String]
    let created: Date

    init(_ app: AppRecord) {
        self.app = app.bundleIdentifier.rawValue
        title = app.title
        slug = app.slug.rawValue
        access = app.access.rawValue
        listed = app.isListed
        channels = Dictionary(
            uniqueKeysWithValues: app.channels.map { ($0.key.rawValue, $0.value.rawValue) }
        )
        created = app.created
    }
}

extension AppRecord {
    /// Who may see it, in words.
    var audience: String {
        switch access {
        case .open: "whoever has the link"
        case .passphrase where passphrase == nil: "nobody: it has no passphrase yet"
        case .passphrase: "whoever knows the passphrase"
        case .enrolled: "approved devices"
        }
    }
}

/// A sentence about one app, with the app for machines.
struct AppResult: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let app: AppRow
    }

    let app: AppRecord
    let lines: [String]

    var document: Document { Document(app: AppRow(app)) }

    func text(style: Style) -> String { lines.map(\.printable).joined(separator: "\n") }
}
