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
    /// What names it in its access, in words.
    var appsInWords: String {
        apps.isEmpty
            ? "–"
            : apps.map { app in
                let channels = app.channels.joined(separator: ", ")
                return app.title + (channels.isEmpty ? "" : " (\(channels))")
            }.joined(separator: ", ")
    }
}
