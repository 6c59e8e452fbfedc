/// Checks a client's bytes as strictly as RFC 9112 allows, before they reach the decoder.
///
/// The decoder parses heads into values; the scanner decides whether they are unambiguous, so that no
/// proxy in front can have parsed them differently (request smuggling). It stores only the start of the
/// target, the version, the current field's name, and the values that frame the body.
package struct RequestHeadScanner {
    private enum Place {
        case beforeRequest, emptyLine, method, target, version, requestLineEnd
        case fieldStart, name, value, fieldEnd, headEnd
        /// Inside a body of known length.
        case body
        /// After a chunked head: the decoder finds the end, and the connection closes after it.
        case unframed
    }

    private let limits: ServerLimits
    private var place = Place.beforeRequest
    private var hasSeenEmptyLine = false
    private var headBytes = 0
    private var method = MethodLetters()
    private var targetBytes = 0
    /// The beginning of the current request's target, for the response to a refused request.
    package private(set) var targetStart: [UInt8] = []
    private static let knownTargetBytes = 256
    private var fieldCount = 0
    private var version: [UInt8] = []
    private var name: [UInt8] = []
    private var field: BodyFraming.Field?
    private var value: [UInt8] = []
    private var framing = BodyFraming()
    private var bodyRemaining = 0
    /// Whether a request ended with the last byte that was scanned.
    private var hasEnded = false

    /// - Parameter limits: the limits of a head: its bytes, its fields, and the bytes of its target.
    package init(limits: ServerLimits) {
        self.limits = limits
        name.reserveCapacity(32)
        version.reserveCapacity(8)
        targetStart.reserveCapacity(Self.knownTargetBytes)
    }

    /// Whether a head has begun but not ended.
    package var isInsideHead: Bool {
        switch place {
        case .beforeRequest, .body, .unframed: false
        default: true
        }
    }

    /// Whether the current request has an unknown method, which is refused once its target is known.
    ///
    /// The decoder must not see it, because it would refuse it earlier.
    package var isMethodUnknown: Bool {
        switch place {
        case .target, .version: !method.isKnown
        default: false
        }
    }

    /// Whether the next byte belongs to a new request.
    package var isBetweenRequests: Bool {
        switch place {
        case .beforeRequest, .emptyLine: true
        default: false
        }
    }

    /// Scans the next bytes of the connection.
    ///
    /// - Throws: ``RefusedRequest`` at the first invalid byte; nothing may be scanned afterwards.
    package mutating func scan(_ bytes: Span<UInt8>) throws(RefusedRequest) {
        var index = 0
        while index < bytes.count {
            index += try scanRequest(bytes.extracting(index..<bytes.count))
        }
    }

    /// Scans the next bytes of the connection up to the end of the current request.
    ///
    /// - Returns: how many bytes were scanned; if only the decoder finds the end of the body, all of
    ///   them.
    /// - Throws: as ``scan(_:)``.
    package mutating func scanRequest(_ bytes: Span<UInt8>) throws(RefusedRequest) -> Int {
        hasEnded = false
        var index = 0
        while index < bytes.count, !hasEnded {
            switch place {
            case .body:
                let skipped = min(bodyRemaining, bytes.count - index)
                index += skipped
                bodyRemaining -= skipped
                if bodyRemaining == 0 { beginRequest() }
            case .unframed:
                return bytes.count
            case .value
            where field == nil && headBytes < limits.headBytes && bytes[index].isFieldText:
                index = passed(bytes, from: index)
            default:
                try step(bytes[index])
                index += 1
            }
        }
        return index
    }

    /// Scans the value of a field that does not frame the body, many bytes at a time.
    ///
    /// The first byte above the limit is left to ``step(_:)``, which refuses it.
    ///
    /// - Returns: the index after the scanned bytes.
    private mutating func passed(_ bytes: Span<UInt8>, from index: Int) -> Int {
        let end = min(bytes.count, index + limits.headBytes - headBytes)
        var next = index
        while next < end, bytes[next].isFieldText { next += 1 }
        headBytes += next - index
        return next
    }

    private mutating func beginRequest() {
        hasEnded = true
        place = .beforeRequest
        hasSeenEmptyLine = false
        headBytes = 0
        method = MethodLetters()
        targetBytes = 0
        targetStart.removeAll(keepingCapacity: true)
        fieldCount = 0
        framing = BodyFraming()
        version.removeAll(keepingCapacity: true)
    }

    private mutating func step(_ byte: UInt8) throws(RefusedRequest) {
        headBytes += 1
        guard headBytes <= limits.headBytes else {
            throw place == .target ? .targetTooLong : .headTooLarge
        }
        switch place {
        case .beforeRequest: try firstByte(byte)
        case .emptyLine: place = try expect(byte, .lineFeed, then: .beforeRequest)
        case .method: try methodByte(byte)
        case .target: try targetByte(byte)
        case .version: try versionByte(byte)
        case .requestLineEnd: place = try expect(byte, .lineFeed, then: .fieldStart)
        case .fieldStart: try fieldStart(byte)
        case .name: try nameByte(byte)
        case .value: try valueByte(byte)
        case .fieldEnd:
            place = try expect(byte, .lineFeed, then: .fieldStart)
            try endField()
        case .headEnd:
            _ = try expect(byte, .lineFeed, then: .beforeRequest)
            try endHead()
        case .body, .unframed: break
        }
    }

    // MARK: Request line

    /// RFC 9112 2.2: one empty line before a request is ignored; a second one is refused.
    private mutating func firstByte(_ byte: UInt8) throws(RefusedRequest) {
        if byte == .carriageReturn, !hasSeenEmptyLine {
            hasSeenEmptyLine = true
            place = .emptyLine
            return
        }
        guard byte.isUpperCase else { throw .malformed("a method is upper-case letters") }
        method.append(byte)
        place = .method
    }

    private mutating func methodByte(_ byte: UInt8) throws(RefusedRequest) {
        if byte == .space {
            place = .target
        } else if !(byte.isUpperCase || byte == UInt8(ascii: "-")) {
            throw .malformed("a method is upper-case letters")
        } else if headBytes > 34 {
            throw .methodNotImplemented
        } else {
            method.append(byte)
        }
    }

    private mutating func targetByte(_ byte: UInt8) throws(RefusedRequest) {
        switch byte {
        case .space:
            guard targetBytes > 0 else { throw .malformed("two spaces in the request line") }
            place = .version
        case 0x21...0x7E where byte != UInt8(ascii: "#"):
            targetBytes += 1
            if targetBytes <= Self.knownTargetBytes { targetStart.append(byte) }
            guard targetBytes <= limits.targetBytes else { throw .targetTooLong }
        default:
            throw .malformed("the address has a byte that must be percent-encoded")
        }
    }

    private mutating func versionByte(_ byte: UInt8) throws(RefusedRequest) {
        guard byte == .carriageReturn else {
            guard version.count < 8, (0x21...0x7E).contains(byte) else {
                throw .malformed("no HTTP version")
            }
            version.append(byte)
            return
        }
        guard version.starts(with: "HTTP/".utf8), version.count == 8,
            version[5].isDigit, version[6] == UInt8(ascii: "."), version[7].isDigit
        else { throw .malformed("no HTTP version") }
        guard version[5] == UInt8(ascii: "1"), version[7] <= UInt8(ascii: "1") else {
            throw .versionNotSupported
        }
        guard method.isKnown else { throw .methodNotImplemented }
        place = .requestLineEnd
    }

    // MARK: Fields

    private mutating func fieldStart(_ byte: UInt8) throws(RefusedRequest) {
        if byte == .carriageReturn {
            place = .headEnd
            return
        }
        guard byte != .space, byte != .tab else { throw .malformed("a folded field") }
        fieldCount += 1
        guard fieldCount <= limits.fieldCount else { throw .tooManyFields }
        name.removeAll(keepingCapacity: true)
        place = .name
        guard byte.isToken else {
            throw .malformed("a field name with a byte outside the token set")
        }
        name.append(byte | (byte.isUpperCase ? 0x20 : 0))
    }

    private mutating func nameByte(_ byte: UInt8) throws(RefusedRequest) {
        if byte == UInt8(ascii: ":") {
            field = BodyFraming.Field(name)
            value.removeAll(keepingCapacity: true)
            place = .value
            return
        }
        guard byte.isToken else {
            throw .malformed("a field name with a byte outside the token set")
        }
        name.append(byte | (byte.isUpperCase ? 0x20 : 0))
    }

    private mutating func valueByte(_ byte: UInt8) throws(RefusedRequest) {
        switch byte {
        case .carriageReturn: place = .fieldEnd
        case _ where byte.isFieldText: if field != nil { value.append(byte) }
        default: throw .malformed("a control character in a field")
        }
    }

    private mutating func endField() throws(RefusedRequest) {
        guard let field else { return }
        self.field = nil
        try framing.take(field, value.trimmingWhitespace)
    }

    private mutating func endHead() throws(RefusedRequest) {
        switch try framing.body(isVersionOnePointOne: version.last == UInt8(ascii: "1")) {
        case .chunked: place = .unframed
        case .bytes(0): beginRequest()
        case .bytes(let count):
            bodyRemaining = count
            place = .body
        }
    }

    private func expect(
        _ byte: UInt8,
        _ wanted: UInt8,
        then next: Place,
    ) throws(RefusedRequest) -> Place {
        guard byte == wanted else { throw .malformed("a carriage return without a line feed") }
        return next
    }
}
