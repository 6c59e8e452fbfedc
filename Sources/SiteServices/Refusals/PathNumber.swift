/// Positive integers in paths.
package enum PathNumber {
    /// Parses a number in its canonical form, so that each resource has one path.
    ///
    /// - Returns: nil for `0`, `01`, `+1` and text that is not a number.
    package static func read(_ text: String) -> Int? {
        guard let number = Int(text), number > 0, text.utf8.elementsEqual("\(number)".utf8) else {
            return nil
        }
        return number
    }
}
