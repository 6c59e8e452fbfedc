import Bytes
import Essentials

/// Textual encodings of RFC 7468: base64 between BEGIN and END lines.
package enum PEM {
    package struct Block: Equatable, Sendable {
        /// Such as `CERTIFICATE` or `PRIVATE KEY`.
        package let label: String
        package let bytes: [UInt8]
        /// Whether RFC 1421 headers say that the content is encrypted.
        package let isEncrypted: Bool
    }

    /// Every block in order; text around the blocks is commentary.
    ///
    /// - Returns: nil when a block does not end, ends under another label or is not base64.
    package static func blocks(in text: String) -> [Block]? {
        var blocks: [Block] = []
        var label: String?
        var body = ""
        var isEncrypted = false
        for rawLine in text.split(whereSeparator: \.isNewline) {
            let line = rawLine.trimmingWhitespace()
            guard let open = label else {
                label = name(in: line, after: "-----BEGIN ")
                (body, isEncrypted) = ("", false)
                continue
            }
            if line.hasPrefix("-----") {
                guard name(in: line, after: "-----END ") == open,
                    let bytes = Data(base64Encoded: body)
                else { return nil }
                blocks.append(Block(label: open, bytes: [UInt8](bytes), isEncrypted: isEncrypted))
                label = nil
            } else if line.contains(":") {
                isEncrypted = isEncrypted || line.contains("ENCRYPTED")
            } else {
                body += line
            }
        }
        return label == nil ? blocks : nil
    }

    /// One block with lines of 64 characters and a final newline.
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
