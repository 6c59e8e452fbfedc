import APIDocuments
import Administration
import Identifiers
import Releases

extension GroupName: TypedValue {}

/// A sentence about one group, with the group for machines.
struct GroupResult: CommandResult {
    let document: GroupDocument
    let sentence: String

    func text(style: Style) -> String { sentence.printable }
}

extension GroupEntry {
    /// What names it, apps in their access and the sign-in settings, in words.
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
