/// Lines of a file of comma-separated values, as RFC 4180 and spreadsheets take them.
package enum CSVLine {
    /// What the API and browsers know the format by.
    package static let mediaType = "text/csv; charset=utf-8; header=present"

    /// One line with its line break.
    ///
    /// A field that a spreadsheet would take for a formula begins with an apostrophe, because names of devices
    /// come from strangers.
    package static func text(_ fields: [String]) -> String {
        fields.map(field).joined(separator: ",") + "\r\n"
    }

    private static func field(_ text: String) -> String {
        let isFormula = text.unicodeScalars.first.map(starters.contains) ?? false
        let inert = isFormula ? "'" + text : text
        let isQuoted = inert.utf8.contains { special.contains($0) }
        return isQuoted ? "\"" + inert.replacing("\"", with: "\"\"") + "\"" : inert
    }

    /// The last four are what full-width keyboards write.
    private static let starters = Set("=+-@\t\r\n\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars)
    private static let special = Set("\",\r\n".utf8)
}
