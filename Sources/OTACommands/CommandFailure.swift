import Administration
import Foundation

/// Why a command stopped, in the form in which it is told: what, where, and how to mend it.
struct CommandFailure: Error {
    /// Stable across releases, such as `store.unreadable`.
    let id: String
    let message: String
    let place: String?
    let mend: String?

    init(id: String, message: String, place: String? = nil, mend: String? = nil) {
        self.id = id
        self.message = message
        self.place = place
        self.mend = mend
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
            mend: mend ?? "",
        )
        return (try? JSONText.encode(ErrorDocument(failure))) ?? message
    }

    private func humanText(style: Style) -> String {
        var text = style.bad("error:") + " " + message.printable
        if let place { text += "\n  " + style.faint("where") + "  " + place.printable }
        if let mend { text += "\n  " + style.faint("fix") + "    " + mend.printable }
        return text
    }
}
