/// Whole numbers above 0 in paths.
package enum PathNumber {
    /// Reads a number that is written in its one form, so that each thing has one address.
    ///
    /// - Returns: nil for `0`, `01`, `+1` and what is no number.
    package static func read(_ text: String) -> Int? {
        guard let number = Int(text), number > 0, text.utf8.elementsEqual("\(number)".utf8) else {
            return nil
        }
        return number
    }
}
