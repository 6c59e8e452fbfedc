import APIDocuments
import Administration

/// A sentence about one app, with the app for machines.
struct AppResult: CommandResult {
    let document: AppDocument
    let lines: [String]

    func text(style: Style) -> String { lines.map(\.printable).joined(separator: "\n") }
}
