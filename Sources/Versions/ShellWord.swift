/// Any text, quoted as one word of a POSIX shell.
///
/// Quotes by Unicode scalars: Swift combines a quotation mark and a combining mark after it into one
/// character, but in the shell it still ends the word.
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
