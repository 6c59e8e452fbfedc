package import Bytes

extension DEREntitlements {
    private static let greatestSize = 4 << 20

    /// Reads the content of the slot, without the blob's magic and length.
    ///
    /// - Throws: ``MalformedBytes`` for anything but one distinguished encoding: lengths that are
    ///   longer than they need be, keys that are there twice, bytes that are left over.
    package init(reading content: ArraySlice<UInt8>) throws(MalformedBytes) {
        guard content.count <= Self.greatestSize else {
            throw MalformedBytes("DER entitlements", at: 0, .invalid("are too large"))
        }
        var reader = DERReader(content)
        let whole = try reader.element("DER entitlements")
        try reader.end("DER entitlements")
        switch whole.tag {
        case DERTag.set:
            version = nil
            entries = try reader.entries(whole)
        case DERTag.entitlements:
            var body = reader.inside(whole)
            version = try body.version()
            entries = try body.entries(
                try body.element(DERTag.dictionary, "entitlements dictionary")
            )
            try body.end("DER entitlements")
        default:
            throw MalformedBytes(
                "DER entitlements",
                at: whole.start,
                .unexpected(found: "tag 0x" + String(whole.tag, radix: 16)),
            )
        }
    }
}

private enum DERTag {
    static let boolean: UInt8 = 0x01
    static let integer: UInt8 = 0x02
    static let octets: UInt8 = 0x04
    static let text: UInt8 = 0x0c
    static let sequence: UInt8 = 0x30
    static let set: UInt8 = 0x31
    /// APPLICATION 16.
    static let entitlements: UInt8 = 0x70
    /// CONTEXT 16.
    static let dictionary: UInt8 = 0xb0
}

/// One element of the encoding; offsets count from the start of the entitlements.
private struct DERElement {
    let tag: UInt8
    let start: Int
    let contentStart: Int
    let content: ArraySlice<UInt8>
}

/// The elements of one level, in order.
private struct DERReader {
    private var bytes: ByteReader
    /// Where these bytes begin in the whole.
    private let base: Int
    private let depth: Int

    private static let greatestDepth = 32

    init(_ bytes: ArraySlice<UInt8>, at base: Int = 0, depth: Int = 0) {
        self.bytes = ByteReader(bytes)
        self.base = base
        self.depth = depth
    }

    func inside(_ element: DERElement) -> DERReader {
        DERReader(element.content, at: element.contentStart, depth: depth + 1)
    }

    mutating func element(_ field: String) throws(MalformedBytes) -> DERElement {
        let start = base + bytes.offset
        return try reading(at: base) { () throws(MalformedBytes) in
            let tag = try bytes.byte(field)
            guard tag & 0x1f != 0x1f else {
                throw MalformedBytes(field, at: bytes.offset - 1, .invalid("has a long tag"))
            }
            let length = try bytes.derLength(field)
            let contentStart = base + bytes.offset
            return DERElement(
                tag: tag,
                start: start,
                contentStart: contentStart,
                content: try bytes.bytes(length, field),
            )
        }
    }

    mutating func element(_ tag: UInt8, _ field: String) throws(MalformedBytes) -> DERElement {
        let element = try element(field)
        guard element.tag == tag else {
            throw MalformedBytes(
                field,
                at: element.start,
                .unexpected(found: "tag 0x" + String(element.tag, radix: 16)),
            )
        }
        return element
    }

    func end(_ field: String) throws(MalformedBytes) {
        guard bytes.isAtEnd else {
            throw MalformedBytes(
                field,
                at: base + bytes.offset,
                .invalid("have \(bytes.remaining) bytes left over"),
            )
        }
    }

    func value(_ element: DERElement) throws(MalformedBytes) -> DEREntitlements.Value {
        guard depth < Self.greatestDepth else {
            throw MalformedBytes("entitlement", at: element.start, .invalid("is nested too deep"))
        }
        let content = element.content
        switch element.tag {
        case DERTag.boolean:
            // Distinguished encoding has 0xff for true; Xcode 12 wrote 1.
            guard content.count == 1, let byte = content.first else {
                throw MalformedBytes("boolean", at: element.start, .invalid("is no truth value"))
            }
            return .boolean(byte != 0)
        case DERTag.integer: return try integer(element)
        case DERTag.octets: return .data(Array(content))
        case DERTag.text: return .string(try text(element))
        case DERTag.sequence:
            var items: [DEREntitlements.Value] = []
            var reader = inside(element)
            while !reader.bytes.isAtEnd {
                items.append(try reader.value(try reader.element("array element")))
            }
            return .array(items)
        case DERTag.dictionary, DERTag.set: return .dictionary(try entries(element))
        default: return .unknown(tag: element.tag, Array(content))
        }
    }

    mutating func version() throws(MalformedBytes) -> Int64 {
        let element = try element(DERTag.integer, "version")
        guard case .integer(let version) = try integer(element) else {
            throw MalformedBytes("version", at: element.start, .invalid("is too large"))
        }
        return version
    }

    func entries(
        _ element: DERElement
    ) throws(MalformedBytes) -> [DEREntitlements.Entry] {
        var entries: [DEREntitlements.Entry] = []
        var keys: Set<String> = []
        var reader = inside(element)
        while !reader.bytes.isAtEnd {
            let pair = try reader.element(DERTag.sequence, "entitlement")
            var body = reader.inside(pair)
            let key = try text(try body.element(DERTag.text, "key"))
            let value = try body.value(try body.element("value"))
            try body.end("entitlement")
            guard keys.insert(key).inserted else {
                throw MalformedBytes("key", at: pair.start, .invalid("is there twice"))
            }
            entries.append(DEREntitlements.Entry(key: key, value: value))
        }
        return entries
    }

    private func text(_ element: DERElement) throws(MalformedBytes) -> String {
        guard let text = String(validating: element.content, as: UTF8.self) else {
            throw MalformedBytes("text", at: element.start, .invalid("is not UTF-8"))
        }
        return text
    }

    private func integer(_ element: DERElement) throws(MalformedBytes) -> DEREntitlements.Value {
        let content = element.content
        guard let first = content.first else {
            throw MalformedBytes("integer", at: element.start, .invalid("has no digits"))
        }
        if let second = content.dropFirst().first,
            first == 0 && second < 0x80 || first == 0xff && second >= 0x80
        {
            throw MalformedBytes("integer", at: element.start, .invalid("has a superfluous byte"))
        }
        guard content.count <= 8 else {
            return .unknown(tag: element.tag, Array(content))
        }
        return .integer(
            content.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
        )
    }
}

extension ByteReader {
    /// A definite length in the fewest bytes.
    fileprivate mutating func derLength(_ field: String) throws(MalformedBytes) -> Int {
        let start = offset
        let first = try byte(field)
        guard first >= 0x80 else { return Int(first) }
        guard (0x81...0x84).contains(first) else {
            throw MalformedBytes(field, at: start, .invalid("has no definite length"))
        }
        var length = 0
        for _ in 0..<(first & 0x7f) { length = length << 8 | Int(try byte(field)) }
        let least = first == 0x81 ? 0x80 : 1 << (8 * (Int(first & 0x7f) - 1))
        guard length >= least else {
            throw MalformedBytes(field, at: start, .invalid("has a length in superfluous bytes"))
        }
        return length
    }
}
