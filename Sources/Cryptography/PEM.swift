import Bytes
import Essentials

/// Textual encodings of RFC 7468: base64 between BEGIN and END lines.
package enum PEM {
    package struct Block: Equatable, Sendable {
        /// The label, such as `CERTIFICATE` or `PRIVATE KEY`.
        package let label: String
        package let bytes: [UInt8]
        /// The RFC 1421 headers before the content, one for each line.
        package let headers: [String]

        /// Whether the headers say that the content is encrypted.
        package var isEncrypted: Bool { headers.contains { $0.contains("ENCRYPTED") } }

        /// The block as text, with its headers.
        var text: String {
            guard !headers.isEmpty else { return PEM.text(label, bytes) }
            let (begin, rest) = ("-----BEGIN \(label)-----\n", PEM.text(label, bytes))
            return begin + headers.joined(separator: "\n") + "\n\n" + rest.dropFirst(begin.count)
        }
    }

    /// Every block in order; text around the blocks is ignored.
    ///
    /// - Returns: nil when a block has no end, ends with another label or is not base64.
    package static func blocks(in text: String) -> [Block]? {
        var blocks: [Block] = []
        var label: String?
        var body = ""
        var headers: [String] = []
        for rawLine in text.split(whereSeparator: \.isNewline) {
            let line = rawLine.trimmingWhitespace()
            guard let open = label else {
                label = name(in: line, after: "-----BEGIN ")
                (body, headers) = ("", [])
                continue
            }
            if line.hasPrefix("-----") {
                guard name(in: line, after: "-----END ") == open,
                    let bytes = Data(base64Encoded: body)
                else { return nil }
                blocks.append(Block(label: open, bytes: [UInt8](bytes), headers: headers))
                label = nil
            } else if line.contains(":") {
                headers.append(line)
            } else {
                body += line
            }
        }
        return label == nil ? blocks : nil
    }

    /// Formats one block with lines of 64 characters and a final newline.
    package static func text(_ label: String, _ bytes: [UInt8]) -> String {
        let body = Data(bytes).base64EncodedString(
            options: [.lineLength64Characters, .endLineWithLineFeed]
        )
        return "-----BEGIN \(label)-----\n\(body)\n-----END \(label)-----\n"
    }

    private static func name(in line: String, after marker: String) -> String? {
        guard line.hasPrefix(marker), line.hasSuffix("-----"), line.count > marker.count + 5 else {
            return nil
        }
        return String(line.dropFirst(marker.count).dropLast(5))
    }
}
