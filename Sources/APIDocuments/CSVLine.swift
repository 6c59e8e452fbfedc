/// Lines of a file of comma-separated values, as RFC 4180 and spreadsheets take them.
package enum CSVLine {
    /// What the API and browsers know the format by.
    package static let mediaType = "text/csv; charset=utf-8; header=present"

    /// One line with its line break.
    ///
    /// Where a spreadsheet would take a formula to begin, an apostrophe stands before it, because names of
    /// devices and feedback come from strangers: at the beginning, and behind what a spreadsheet of another
    /// country would take for the end of a field or a line.
    package static func text(_ fields: [String]) -> String {
        fields.map(field).joined(separator: ",") + "\r\n"
    }

    private static func field(_ text: String) -> String {
        var inert = ""
        var isStart = true
        for scalar in text.unicodeScalars {
            let starts = starters.contains(scalar)
            // Of "\t=" the apostrophe stands before both.
            if isStart, starts { inert += "'" }
            inert.unicodeScalars.append(scalar)
            isStart = separators.contains(scalar) || isStart && scalar == " " && inert != " "
        }
        let isQuoted = inert.utf8.contains { special.contains($0) }
        return isQuoted ? "\"" + inert.replacing("\"", with: "\"\"") + "\"" : inert
    }

    /// The last four are what full-width keyboards write.
    private static let starters = Set("=+-@\t\r\n\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars)
    /// What other countries put between fields, and line breaks.
    private static let separators = Set(";\t\r\n|".unicodeScalars)
    private static let special = Set("\",\r\n".utf8)
}
