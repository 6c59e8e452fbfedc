package import NIOCore

/// What an answer from memory depends on: a GET or HEAD without a body.
package struct AskedRequest {
    package var isHead = false
    package var isVersionOnePointZero = false
    /// Whether the client wants the connection closed behind the answer.
    package var isLast = false
    /// Path and query.
    package var target = ""
    package var host: String?
    package var agent: String?
    /// The values of all fields of a name, as they came.
    package var languages: [String] = []
    package var cookies: [String] = []
    package var entityTags: [String] = []
    package var forwardedFor: [String] = []

    /// Of what a decoder has read.
    init() {}

    /// Reads a whole head as it came, so that what memory answers needs no decoder.
    ///
    /// Nil where there is anything that only a decoder and the gate behind it judge: another method, an
    /// address that is no path, a body, an upgrade, or a `Connection` in other words than `keep-alive` and
    /// `close`.
    ///
    /// - Parameter head: what ``RequestHeadScanner`` has let through, from the first byte of a request to
    ///   the last.
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

/// A place in the bytes of a head; whatever they are, it stays inside.
private struct HeadCursor {
    private(set) var index = 0

    /// Passes these bytes, where they are next.
    mutating func skip(_ wanted: [UInt8], of head: Span<UInt8>) -> Bool {
        guard index + wanted.count <= head.count else { return false }
        for offset in wanted.indices where head[index + offset] != wanted[offset] {
            return false
        }
        index += wanted.count
        return true
    }

    /// Goes to the next such byte.
    mutating func skip(to byte: UInt8, of head: Span<UInt8>) -> Bool {
        while index < head.count, head[index] != byte { index += 1 }
        return index < head.count
    }

    /// Passes a field; nil at the empty line behind them.
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

/// The fields that decide about an answer from memory, or about whether there is one.
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

    /// Nil for all others.
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
    /// Whether a field name, of bytes of the token set, is this one in whatever case.
    fileprivate func isName(_ name: [UInt8], at start: Int) -> Bool {
        // With this bit a letter is in lower case, and nothing else that a name has becomes a letter.
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
    fileprivate var isBlank: Bool { self == .space || self == .tab }
}
