package import NIOCore

/// The parts of a GET or HEAD request without a body that determine its cached answer.
package struct AskedRequest {
    package var isHead = false
    package var isVersionOnePointZero = false
    /// Whether the client wants the connection closed after the response.
    package var isLast = false
    /// Path and query.
    package var target = ""
    package var host: String?
    package var agent: String?
    /// All values of the corresponding field, in order of arrival.
    package var languages: [String] = []
    package var cookies: [String] = []
    package var entityTags: [String] = []
    package var forwardedFor: [String] = []

    /// For a head that a decoder has parsed.
    init() {}

    /// Parses a whole undecoded head, so that a cached answer needs no decoder.
    ///
    /// Returns nil for anything that the decoder and the gate after it must judge: another method, a
    /// target that is not a path, a body, an upgrade, or a `Connection` other than `keep-alive` and
    /// `close`.
    ///
    /// - Parameter head: the bytes of one request, all of which ``RequestHeadScanner`` has accepted.
    package init?(head: ByteBuffer) {
        let bytes = head.readableBytesUInt8Span
        var cursor = HeadCursor()
        guard readRequestLine(head, bytes, &cursor) else { return nil }
        var connection: String?
        while let field = cursor.field(of: bytes) {
            guard let name = HeadFieldName(bytes, field.name) else { continue }
            let value = head.text(field.value)
            switch name {
            case .host: host = host ?? value
            case .agent: agent = agent ?? value
            case .languages: languages.append(value)
            case .cookie: cookies.append(value)
            case .entityTags: entityTags.append(value)
            case .forwardedFor: forwardedFor.append(value)
            case .connection where connection == nil: connection = value.lowercased()
            case .connection, .body, .upgrade: return nil
            }
        }
        guard cursor.skip(Words.lineEnd, of: bytes), cursor.index == bytes.count else { return nil }
        switch connection {
        case nil: isLast = isVersionOnePointZero
        case "keep-alive": isLast = false
        case "close": isLast = true
        default: return nil
        }
    }

    private mutating func readRequestLine(
        _ head: ByteBuffer,
        _ bytes: Span<UInt8>,
        _ cursor: inout HeadCursor,
    ) -> Bool {
        isHead = cursor.skip(Words.head, of: bytes)
        guard isHead || cursor.skip(Words.get, of: bytes) else { return false }
        let start = cursor.index
        guard cursor.skip(Words.slash, of: bytes), cursor.skip(to: .space, of: bytes) else {
            return false
        }
        target = head.text(start..<cursor.index)
        if cursor.skip(Words.version11, of: bytes) { return true }
        isVersionOnePointZero = true
        return cursor.skip(Words.version10, of: bytes)
    }
}

/// A position in the bytes of a head; it stays within bounds for any input.
private struct HeadCursor {
    private(set) var index = 0

    /// Skips these bytes if they are next.
    mutating func skip(_ wanted: [UInt8], of head: Span<UInt8>) -> Bool {
        guard index + wanted.count <= head.count else { return false }
        for offset in wanted.indices where head[index + offset] != wanted[offset] {
            return false
        }
        index += wanted.count
        return true
    }

    /// Advances to the next such byte.
    mutating func skip(to byte: UInt8, of head: Span<UInt8>) -> Bool {
        while index < head.count, head[index] != byte { index += 1 }
        return index < head.count
    }

    /// Reads the next field; nil at the empty line after the fields, and for a malformed field.
    mutating func field(of head: Span<UInt8>) -> (name: Range<Int>, value: Range<Int>)? {
        guard index < head.count, head[index] != .carriageReturn else { return nil }
        let start = index
        guard skip(to: UInt8(ascii: ":"), of: head) else { return nil }
        let colon = index
        guard skip(to: .carriageReturn, of: head) else { return nil }
        var value = (colon + 1)..<index
        while let first = value.first, head[first].isBlank { value.removeFirst() }
        while let last = value.last, head[last].isBlank { value.removeLast() }
        return skip(Words.lineEnd, of: head) ? (start..<colon, value) : nil
    }
}

/// The fields that decide which cached answer a request gets, or that rule one out.
private enum HeadFieldName {
    case host, agent, languages, cookie, entityTags, forwardedFor, connection, upgrade
    /// `Content-Length`, `Transfer-Encoding` and `Expect`.
    case body

    private static let known: [(name: [UInt8], field: HeadFieldName)] = [
        ("host", .host), ("user-agent", .agent), ("accept-language", .languages),
        ("cookie", .cookie), ("if-none-match", .entityTags), ("x-forwarded-for", .forwardedFor),
        ("connection", .connection), ("upgrade", .upgrade), ("content-length", .body),
        ("transfer-encoding", .body), ("expect", .body),
    ]
    .map { (Array($0.utf8), $1) }

    /// Returns nil for all other fields.
    init?(_ head: Span<UInt8>, _ range: Range<Int>) {
        for (name, field) in Self.known
        where name.count == range.count && head.isName(name, at: range.lowerBound) {
            self = field
            return
        }
        return nil
    }
}

extension Span<UInt8> {
    /// Returns whether the token at `start` is this field name, ignoring case.
    fileprivate func isName(_ name: [UInt8], at start: Int) -> Bool {
        // This bit makes letters lower case, and turns no other token character into a letter.
        for offset in name.indices where self[start + offset] | 0x20 != name[offset] {
            return false
        }
        return true
    }
}

extension ByteBuffer {
    fileprivate func text(_ range: Range<Int>) -> String {
        getString(at: readerIndex + range.lowerBound, length: range.count) ?? ""
    }
}

private enum Words {
    static let get = Array("GET ".utf8), head = Array("HEAD ".utf8), slash = Array("/".utf8)
    static let version11 = Array(" HTTP/1.1\r\n".utf8)
    static let version10 = Array(" HTTP/1.0\r\n".utf8)
    static let lineEnd = Array("\r\n".utf8)
}

extension UInt8 {
    var isBlank: Bool { self == .space || self == .tab }
}
