import APIDocuments
import Administration
import Foundation

/// Why a command stopped: what is wrong, where, and how to fix it.
struct CommandFailure: Error {
    /// Stable across releases, such as `store.unreadable`.
    let id: String
    let message: String
    let place: String?
    let fix: String?

    init(id: String, message: String, place: String? = nil, fix: String? = nil) {
        self.id = id
        self.message = message
        self.place = place
        self.fix = fix
    }

    /// What standard error shows, for people or, with `json`, for machines.
    func text(json: Bool, style: Style) -> String {
        json ? machineText : humanText(style: style)
    }

    private var machineText: String {
        let failure = ErrorDocument.Failure(
            id: id,
            message: message,
            place: place ?? "",
            fix: fix ?? "",
        )
        return (try? JSONText.encode(ErrorDocument(failure))) ?? message
    }

    private func humanText(style: Style) -> String {
        var text = style.bad("error:") + " " + message.printable
        if let place { text += "\n  " + style.faint("where") + "  " + place.printable }
        if let fix { text += "\n  " + style.faint("fix") + "    " + fix.printable }
        return text
    }
}
