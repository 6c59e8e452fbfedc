extension StringProtocol {
    /// The text without the white space and the line ends around it, scalar by scalar: a mark that
    /// combines with a space stays.
    package func trimmingWhitespace() -> String {
        let start = unicodeScalars.drop { $0.properties.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(String.UnicodeScalarView(start[...last]))
    }
}
