/// What the fields of a head say of the body behind it, and of the host, each of which may be said once.
struct BodyFraming {
    /// The fields that decide it.
    enum Field {
        case contentLength, transferEncoding, host

        /// - Parameter name: in lower case; nil for the name of any other field.
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
        /// Its size; 0 for none.
        case bytes(Int)
        case chunked
    }

    private var contentLength: Int?
    private var isChunked = false
    private var hostCount = 0

    /// Takes a field of the head.
    ///
    /// - Parameters:
    ///   - field: which.
    ///   - value: without the white space around it.
    /// - Throws: ``RefusedRequest/malformed(_:)`` for a second field of the name, and for a value that has
    ///   more than one meaning.
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

    /// The body that the fields of a whole head announce.
    ///
    /// RFC 9112 6.3: a client that sends both lengths, or a length that HTTP/1.0 does not have, may
    /// want two readers to disagree.
    ///
    /// - Parameter isVersionOnePointOne: whether the request is of HTTP/1.1, which needs a Host.
    /// - Returns: its framing.
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
