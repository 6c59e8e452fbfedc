import APIDocuments
import Administration
import Identifiers
import Releases

extension GroupName: TypedValue {}

/// A sentence about one group, with its document for JSON.
struct GroupResult: CommandResult {
    let document: GroupDocument
    let sentence: String

    func text(style: Style) -> String { sentence.printable }
}

extension GroupEntry {
    /// The apps' access rules and the sign-in settings that name the group, as text.
    var usesInWords: String {
        var uses = apps.map { app in
            let channels = app.channels.joined(separator: ", ")
            return app.title + (channels.isEmpty ? "" : " (\(channels))")
        }
        if !signIn.isEmpty {
            let more = signIn.count > 5 ? " and \(signIn.count - 5) more" : ""
            uses.append("sign-in (\(signIn.prefix(5).joined(separator: ", "))\(more))")
        }
        return uses.isEmpty ? "–" : uses.joined(separator: ", ")
    }
}
