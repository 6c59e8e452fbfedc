import Bytes

/// Text of a report as people read it: on one line, without what steers a terminal.
package enum CrashLine {
    /// Scalars of a line that are kept.
    private static let limit = 2000

    package static func plain(_ text: some StringProtocol) -> String {
        let line = text.unicodeScalars.prefix(limit + 1).map { scalar in
            scalar == "\n" || scalar == "\t" || scalar == "\r" ? " " : scalar
        }
        let joined = String(String.UnicodeScalarView(line))
        return PrintableText(escaping: joined, limit: limit).text
    }
}
