import Bytes
import Problems

/// A refusal by the parser, in the same format as all other refusals.
struct UsageRefusal {
    let problem: Problem
    /// The usage of the command in one line; nil if that would be too long to help.
    let usage: String?

    /// - Parameters:
    ///   - arguments: the arguments after `ota`.
    ///   - message: the parser's message.
    ///   - text: everything that the parser would print.
    init(_ arguments: [String], message: String, explained text: String) {
        if let mistyped = MistypedCommand.first(in: arguments) {
            problem = Problem(ofUsage: mistyped.message, fix: mistyped.fix)
            usage = nil
            return
        }
        let lines = text.textLines
        let hint = lines.last { $0.hasBytes(first: "  See '") }?.split(separator: "'")
        let command = hint.flatMap { $0.count > 1 ? String($0[1]) : nil } ?? "ota --help"
        problem = Problem(ofUsage: message, fix: "see `\(command)`")
        usage = lines.last { $0.hasBytes(first: "Usage: ") }
            .map { String($0.dropFirst(7)) }
            .flatMap { $0.utf8.count <= 100 ? $0 : nil }
    }

    func text(json: Bool, style: Style) -> String {
        let text = problem.text(json: json, style: style)
        guard !json, let usage else { return text }
        return text + "\n  " + style.faint("usage") + "  " + usage.printable
    }
}

extension Problem {
    /// A command's refusal of its options; `command` is its full name, such as `ota mirror add`.
    init(ofUsage message: String, of command: String) {
        self.init(ofUsage: message, fix: "see `\(command) --help`")
    }

    fileprivate init(ofUsage message: String, fix: String) {
        self.init(
            id: "usage.invalid",
            kind: .malformed,
            message: Self.inOurVoice(message),
            fix: fix,
        )
    }

    /// The parser's message as ours are: in lower case unless it begins with a name, and without a full stop.
    private static func inOurVoice(_ message: String) -> String {
        let lines = message.textLines.filter { !$0.isEmpty }
        // The parser lists more than three possible values on lines of their own.
        let values = lines.filter { $0.hasBytes(first: "  - ") }.map { $0.dropFirst(4) }
        let list =
            values.dropLast().joined(separator: ", ") + (values.last.map { " or " + $0 } ?? "")
        var sentence = lines.filter { !$0.hasBytes(first: "  - ") }.joined(separator: " ")
            .replacing(". Please provide one of the following:", with: ": give " + list)
        // Up to three are in the sentence, in quotation marks.
        if let few = sentence.firstRange(of: ". Please provide one of ") {
            let words = sentence[few.upperBound...].filter { $0 != "'" }
            sentence = String(sentence[..<few.lowerBound]) + ": give " + words
        }
        if sentence.hasSuffix(".") { sentence.removeLast() }
        guard sentence.dropFirst().first?.isUppercase != true else { return sentence }
        return sentence.prefix(1).lowercased() + sentence.dropFirst()
    }
}
