import APIDocuments
import Bytes
import Problems

extension Problem {
    /// The text for standard error, for people or, with `json`, for programs.
    func text(json: Bool, style: Style) -> String {
        json ? machineText : humanText(style: style)
    }

    private var machineText: String {
        (try? JSONText.encode(ErrorDocument(self))) ?? message
    }

    private func humanText(style: Style) -> String {
        var text = style.bad("error:") + " " + message.printable
        if !place.isEmpty { text += "\n  " + style.faint("where") + "  " + place.printable }
        if !fix.isEmpty { text += "\n  " + style.faint("fix") + "    " + fix.printable }
        return text
    }

    /// The place and the fix as lines of a report, unless they are empty.
    var labelledLines: [String] {
        [("At", place), ("Fix", fix)].filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1)" }
    }
}

extension Problem.Kind {
    /// The exit status of a command that fails with this kind of problem; the only table of them.
    ///
    /// Scripts depend on 1 for everything that was not done. Wrong usage is 64 and is not a problem: the
    /// parser reports it before a command runs.
    var exitStatus: Int32 {
        switch self {
        case .malformed, .unauthorised, .refused, .notFound, .conflict, .gone, .changedMeanwhile,
            .tooLarge, .unsupported, .invalid, .tooMany, .busy, .unavailable, .outOfRoom, .failed:
            1
        }
    }
}
