import NIOCore

/// One reply of a mail server (RFC 5321, section 4.2).
struct SMTPReply {
    let code: Int
    /// The text after the code on each line.
    let lines: [String]

    /// The capabilities that the server lists after EHLO, such as `AUTH PLAIN LOGIN`: words in upper case.
    var capabilities: [[Substring]] {
        lines.dropFirst().map { $0.uppercased().split(separator: " ") }
    }
}

/// Parses replies from incoming bytes; overlong lines and endless replies are refused before they are kept.
struct SMTPReplyReader {
    private static let lineLimit = 2048
    private static let linesLimit = 64

    private var buffer = ByteBuffer()
    private var lines: [String] = []

    /// Whether bytes have arrived that no reply was parsed from.
    var hasMore: Bool { buffer.readableBytes > 0 || !lines.isEmpty }

    mutating func add(_ bytes: ByteBuffer) {
        buffer.writeImmutableBuffer(bytes)
    }

    /// Returns the next reply; nil while it is incomplete.
    ///
    /// - Throws: ``MailFailure/malformed``.
    mutating func next() throws(MailFailure) -> SMTPReply? {
        while let end = buffer.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
            let length = end - buffer.readerIndex
            guard length <= Self.lineLimit, lines.count < Self.linesLimit,
                let bytes = buffer.readBytes(length: length + 1)
            else { throw .malformed }
            var text = String(decoding: bytes.dropLast(), as: UTF8.self)
            if text.hasSuffix("\r") { text.removeLast() }
            let digits = text.utf8.prefix(3)
            guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }),
                let code = Int(text.prefix(3))
            else { throw .malformed }
            let rest = text.dropFirst(3)
            guard rest.isEmpty || rest.hasPrefix(" ") || rest.hasPrefix("-") else {
                throw .malformed
            }
            lines.append(String(rest.dropFirst()))
            guard !rest.hasPrefix("-") else { continue }
            defer { lines = [] }
            return SMTPReply(code: code, lines: lines)
        }
        guard buffer.readableBytes <= Self.lineLimit else { throw .malformed }
        return nil
    }
}
