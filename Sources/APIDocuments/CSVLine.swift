/// Formats lines of comma-separated values according to RFC 4180, safe for spreadsheets.
package enum CSVLine {
    /// The media type, for the API and browsers.
    package static let mediaType = "text/csv; charset=utf-8; header=present"

    /// Returns one line with its line break.
    ///
    /// An apostrophe is inserted wherever a spreadsheet would start a formula, because the names of devices
    /// and feedback come from strangers: at the start, and after anything that a spreadsheet with another
    /// locale reads as the end of a field or a line.
    package static func text(_ fields: [String]) -> String {
        fields.map(field).joined(separator: ",") + "\r\n"
    }

    private static func field(_ text: String) -> String {
        var inert = ""
        var isStart = true
        for scalar in text.unicodeScalars {
            let starts = starters.contains(scalar)
            // "\t=" gets an apostrophe before each of the two characters.
            if isStart, starts { inert += "'" }
            inert.unicodeScalars.append(scalar)
            isStart = separators.contains(scalar) || isStart && scalar == " " && inert != " "
        }
        let isQuoted = inert.utf8.contains { special.contains($0) }
        return isQuoted ? "\"" + inert.replacing("\"", with: "\"\"") + "\"" : inert
    }

    /// The last four are the full-width forms.
    private static let starters = Set("=+-@\t\r\n\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars)
    /// Field separators of other locales, and line breaks.
    private static let separators = Set(";\t\r\n|".unicodeScalars)
    private static let special = Set("\",\r\n".utf8)
}
