import Bytes

/// Text from a report, made safe for display: on one line, without terminal control characters.
package enum CrashLine {
    /// The maximum number of Unicode scalars in a line.
    private static let limit = 2000

    /// Replaces line breaks and tabs by spaces, and escapes control characters.
    package static func plain(_ text: some StringProtocol) -> String {
        let line = text.unicodeScalars.prefix(limit + 1).map { scalar in
            scalar == "\n" || scalar == "\t" || scalar == "\r" ? " " : scalar
        }
        let joined = String(String.UnicodeScalarView(line))
        return PrintableText(escaping: joined, limit: limit).text
    }
}
