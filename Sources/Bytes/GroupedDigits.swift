extension BinaryInteger {
    /// The number as people read it: `9999`, but `10,000`.
    ///
    /// Identifiers, build numbers, offsets and what programs read are written without separators.
    package var grouped: String { grouped(by: ",") }

    /// The number with a separator between thousands, from five digits on.
    ///
    /// - Parameter separator: the thousands separator of the reader's language.
    /// - Returns: its decimal digits.
    package func grouped(by separator: String) -> String {
        let digits = String(magnitude)
        var text = self < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            let left = digits.count - index
            if index > 0, left % 3 == 0, digits.count > 4 { text += separator }
            text.append(digit)
        }
        return text
    }
}
