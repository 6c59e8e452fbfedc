/// Converts terminal output to HTML, line by line: with colours, and without cursor movements.
struct TerminalText {
    /// 1 to 6 for red, green, yellow, blue, magenta and cyan; nil for the default.
    private var colour: Int?
    private var isBold = false

    init() {}

    /// Returns one line, without its end, as HTML; active colours continue in the next line.
    mutating func html(_ line: some StringProtocol) -> String {
        var html = ""
        var run = ""
        func close(_ style: String?) -> String {
            guard !run.isEmpty else { return "" }
            defer { run = "" }
            let text = HTMLText.escaped(run)
            return style.map { "<span class=\"\($0)\">\(text)</span>" } ?? text
        }
        var rest = Substring(line).unicodeScalars
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\u{1B}":
                guard let codes = Self.sequence(&rest) else { continue }
                html += close(style)
                apply(codes)
            case "\r":
                // A carriage return overwrites the line; at the end of a line it does nothing.
                guard !rest.isEmpty else { continue }
                html = ""
                run = ""
            default: if Self.isShown(scalar) { run.unicodeScalars.append(scalar) }
            }
        }
        return html + close(style)
    }

    /// Returns only the text of a line.
    static func plain(_ line: some StringProtocol) -> String {
        var plain = ""
        var rest = Substring(line).unicodeScalars
        while let scalar = rest.popFirst() {
            if scalar == "\u{1B}" {
                _ = sequence(&rest)
            } else if isShown(scalar) {
                plain.unicodeScalars.append(scalar)
            }
        }
        return plain
    }

    /// Whether the scalar is part of the text: a tab, or anything but a control character.
    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\t" || scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
    }

    private var style: String? {
        switch (colour, isBold) {
        case (nil, false): nil
        case (nil, true): "bold"
        case (let colour?, false): "c\(colour)"
        case (let colour?, true): "c\(colour) bold"
        }
    }

    /// Consumes a control sequence (ECMA-48, 5.4); returns its parameters if it sets colours.
    private static func sequence(_ rest: inout Substring.UnicodeScalarView) -> [Int]? {
        guard let kind = rest.popFirst() else { return nil }
        if kind == "]" {
            // A title or a link: everything up to BEL or a string terminator.
            while let scalar = rest.popFirst() {
                if scalar == "\u{07}" { break }
                if scalar == "\u{1B}" {
                    if rest.first == "\\" { rest.removeFirst() }
                    break
                }
            }
            return nil
        }
        guard kind == "[" else { return nil }
        var codes = [0]
        while let scalar = rest.popFirst() {
            switch scalar.value {
            case 0x30...0x39:
                codes[codes.count - 1] = min(
                    9999,
                    codes[codes.count - 1] * 10 + Int(scalar.value) - 0x30,
                )
            case 0x3A, 0x3B: if codes.count < 16 { codes.append(0) }
            case 0x40...0x7E: return scalar == "m" ? codes : nil
            default: continue
            }
        }
        return nil
    }

    private mutating func apply(_ codes: [Int]) {
        var rest = codes[...]
        while let code = rest.popFirst() {
            switch code {
            case 0: (colour, isBold) = (nil, false)
            case 1: isBold = true
            case 22: isBold = false
            case 31...36: colour = code - 30
            case 91...96: colour = code - 90
            case 30, 37, 39, 90, 97: colour = nil
            case 38, 48:
                // One of 256 colours, or three numbers.
                let count = rest.first == 5 ? 2 : rest.first == 2 ? 4 : 0
                if code == 38, rest.first == 5, let index = rest.dropFirst().first {
                    colour = (1...6).contains(index % 8) && index < 16 ? index % 8 : colour
                }
                rest = rest.dropFirst(count)
            default: continue
            }
        }
    }
}
