/// A text as one word of a POSIX shell, whatever is in it.
///
/// Looked at scalar by scalar: a quotation mark with a combining mark behind it is another character
/// to Swift, and to the shell still the end of the word.
package struct ShellWord: Sendable, CustomStringConvertible {
    package let description: String

    package init(_ text: String) {
        var word = "'".unicodeScalars
        for scalar in text.unicodeScalars {
            if scalar == "'" { word += "'\\''".unicodeScalars } else { word.append(scalar) }
        }
        word.append("'")
        description = String(word)
    }
}
