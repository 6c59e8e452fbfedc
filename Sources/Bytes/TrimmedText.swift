extension StringProtocol {
    /// The text without leading and trailing white space and line ends, by Unicode scalars: a mark that
    /// combines with a space is kept.
    package func trimmingWhitespace() -> String {
        let start = unicodeScalars.drop { $0.properties.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(String.UnicodeScalarView(start[...last]))
    }
}
