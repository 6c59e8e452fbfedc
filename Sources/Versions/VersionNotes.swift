import Bytes

/// The notes of a version: its tag's message, and the subjects of its commits.
package struct VersionNotes: Sendable {
    /// The maximum number of commits listed.
    package static let limit = 200
    private static let bytesLimit = 32 << 10

    /// The message of an annotated tag; nil for another tag.
    package let message: String
    /// The subjects of the commits since the previous version, the newest first; only as many as are
    /// listed.
    package let subjects: [String]
    /// The total number of commits.
    package let count: Int

    package init(message: String = "", subjects: [String], count: Int) {
        self.message = message
        self.subjects = subjects
        self.count = count
    }

    /// The notes in Markdown, without control characters and at most 32 KiB; a message that only repeats
    /// the version is left out.
    package func markdown(for tag: VersionTag?) -> String {
        var lines = messageLines(for: tag)
        if !lines.isEmpty, !subjects.isEmpty { lines.append("") }
        var named = 0
        var size = lines.reduce(0) { $0 + $1.utf8.count + 1 }
        for subject in subjects.prefix(Self.limit) {
            let line = "- " + Self.line(subject)
            guard size + line.utf8.count < Self.bytesLimit - 100 else { break }
            size += line.utf8.count + 1
            lines.append(line)
            named += 1
        }
        if count > named { lines.append("- and \(count - named) more") }
        return lines.joined(separator: "\n")
    }

    private func messageLines(for tag: VersionTag?) -> [String] {
        var lines = message.textLines
            .prefix(Self.limit).map { Self.line(String($0)) }
        while lines.last?.isEmpty == true { lines.removeLast() }
        if lines.count == 1, let tag, lines[0].contains(tag.version.description) { return [] }
        return lines
    }

    private static func line(_ text: String) -> String {
        let line = PrintableText(line: String(text.prefix(400))).text
        return line.count > 300 ? line.prefix(300) + "…" : line
    }
}
