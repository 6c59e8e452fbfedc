extension QRCode {
    /// Light modules that a scanner needs on each side.
    package static let quietZone = 4

    /// Returns an SVG without an intrinsic size: dark on a white background in any colour scheme.
    ///
    /// - Parameter label: the text alternative, which says what the code is for; escaped here.
    /// - Returns: one `svg` element, for a page or a file of its own.
    package func svg(label: String) -> String {
        let side = size + 2 * Self.quietZone
        let label = Self.escaped(label)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" role="img" \
            aria-label="\(label)" shape-rendering="crispEdges">\
            <title>\(label)</title>\
            <rect width="\(side)" height="\(side)" fill="#fff"/>\
            <path d="\(path)" fill="#000"/></svg>
            """
    }

    /// One closed rectangle for each run of dark modules in a row.
    private var path: String {
        var result = ""
        for y in 0..<size {
            var x = 0
            while x < size {
                let start = x
                while self[x, y] { x += 1 }
                if x > start {
                    let width = x - start
                    let left = start + Self.quietZone
                    result += "M\(left) \(y + Self.quietZone)h\(width)v1h-\(width)z"
                }
                x += 1
            }
        }
        return result
    }

    /// Escapes text and quoted attributes; control characters, which XML does not allow, are dropped.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": continue
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
