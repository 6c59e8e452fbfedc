import APIDocuments
import Bytes
import Problems

extension Problem {
    /// What standard error shows, for people or, with `json`, for machines.
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

    /// The place and the fix as lines of a report, where there is something to say.
    var labelledLines: [String] {
        [("At", place), ("Fix", fix)].filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1)" }
    }
}

extension Problem.Kind {
    /// The exit status of a command that it stopped; the only table of them.
    ///
    /// Scripts rely on 1 for all that was not done. Wrong usage is 64, and no problem: the parser
    /// says it before a command runs.
    var exitStatus: Int32 {
        switch self {
        case .malformed, .unauthorised, .refused, .notFound, .conflict, .gone, .changedMeanwhile,
            .tooLarge, .unsupported, .invalid, .tooMany, .busy, .unavailable, .outOfRoom, .failed:
            1
        }
    }
}
