extension QRCode {
    /// Returns the code as lines of half-block characters, with two rows of modules per line.
    ///
    /// - Parameters:
    ///   - ansi: whether escape sequences set black on white, which scans on any terminal. Otherwise the
    ///     terminal's own colours are used, which are assumed to be light text on a dark background.
    ///   - invert: without `ansi`, for dark text on a light background.
    /// - Returns: the lines, each with a newline.
    package func terminal(ansi: Bool = true, invert: Bool = false) -> String {
        // Two modules are enough on a screen, and leave room for the text around the code.
        let margin = 2
        // With colours set, ink is a dark module; on a dark terminal ink is a light one.
        let inkIsDark = ansi || invert
        var result = ""
        for y in stride(from: -margin, to: size + margin, by: 2) {
            // Colours 16 and 231 are black and white in every theme.
            if ansi { result += "\u{1B}[38;5;16;48;5;231m" }
            for x in -margin..<size + margin {
                let isLast = y + 1 >= size + margin
                let upper = self[x, y] == inkIsDark
                let lower = isLast && !ansi ? false : self[x, y + 1] == inkIsDark
                switch (upper, lower) {
                case (true, true): result += "█"
                case (true, false): result += "▀"
                case (false, true): result += "▄"
                case (false, false): result += " "
                }
            }
            if ansi { result += "\u{1B}[0m" }
            result += "\n"
        }
        return result
    }
}
