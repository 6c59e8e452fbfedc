/// What a head's fields say about the body and the host; each field may occur once.
struct BodyFraming {
    /// The fields that are examined.
    enum Field {
        case contentLength, transferEncoding, host

        /// - Parameter name: in lower case; nil for any other name.
        init?(_ name: [UInt8]) {
            switch name.count {
            case 4 where name.elementsEqual("host".utf8): self = .host
            case 14 where name.elementsEqual("content-length".utf8): self = .contentLength
            case 17 where name.elementsEqual("transfer-encoding".utf8): self = .transferEncoding
            default: return nil
            }
        }
    }

    /// The body of a request.
    enum Body {
        /// Its length in bytes; 0 for no body.
        case bytes(Int)
        case chunked
    }

    private var contentLength: Int?
    private var isChunked = false
    private var hostCount = 0

    /// Adds a field of the head.
    ///
    /// - Parameters:
    ///   - field: the field.
    ///   - value: its value without surrounding whitespace.
    /// - Throws: ``RefusedRequest/malformed(_:)`` for a field that occurs twice, and for an ambiguous
    ///   value.
    mutating func take(_ field: Field, _ value: ArraySlice<UInt8>) throws(RefusedRequest) {
        switch field {
        case .host:
            hostCount += 1
            guard hostCount == 1, !value.isEmpty else { throw .malformed("not exactly one Host") }
        case .contentLength:
            guard contentLength == nil, (1...15).contains(value.count),
                value.allSatisfy(\.isDigit)
            else { throw .malformed("not exactly one Content-Length of digits") }
            contentLength = value.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        case .transferEncoding:
            guard !isChunked, value.count == 7,
                value.map({ $0 | 0x20 }).elementsEqual("chunked".utf8)
            else { throw .malformed("a Transfer-Encoding other than chunked") }
            isChunked = true
        }
    }

    /// Returns the framing of the body that a whole head announces.
    ///
    /// RFC 9112 6.3: a client that sends both lengths, or a framing that HTTP/1.0 does not have, may be
    /// trying to make two parsers disagree.
    ///
    /// - Parameter isVersionOnePointOne: whether the request is HTTP/1.1, which requires a Host.
    /// - Returns: the framing.
    /// - Throws: ``RefusedRequest/malformed(_:)``.
    func body(isVersionOnePointOne: Bool) throws(RefusedRequest) -> Body {
        guard hostCount == 1 || !isVersionOnePointOne else { throw .malformed("no Host") }
        guard !(isChunked && contentLength != nil) else {
            throw .malformed("both Content-Length and Transfer-Encoding")
        }
        guard !isChunked || isVersionOnePointOne else {
            throw .malformed("Transfer-Encoding in HTTP/1.0")
        }
        return isChunked ? .chunked : .bytes(contentLength ?? 0)
    }
}
