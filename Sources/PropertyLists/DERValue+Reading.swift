/// One element of a distinguished encoding; offsets count from the start of the whole.
package struct DERElement: Sendable {
    package let tag: UInt8
    package let start: Int
    let contentStart: Int
    package let content: ArraySlice<UInt8>
}

/// The elements of one level of a distinguished encoding, in order.
///
/// Refuses lengths that are longer than they need be, keys that are there twice and values that are
/// nested deeper than 32 levels.
package struct DERReader: Sendable {
    private var bytes: ByteReader
    /// Where these bytes begin in the whole.
    private let base: Int
    private let depth: Int

    private static let greatestDepth = 32

    package init(_ bytes: ArraySlice<UInt8>) {
        self.init(bytes, at: 0, depth: 0)
    }

    private init(_ bytes: ArraySlice<UInt8>, at base: Int, depth: Int) {
        self.bytes = ByteReader(bytes)
        self.base = base
        self.depth = depth
    }

    package var isAtEnd: Bool { bytes.isAtEnd }

    package func inside(_ element: DERElement) -> DERReader {
        DERReader(element.content, at: element.contentStart, depth: depth + 1)
    }

    package mutating func element(_ field: String) throws(MalformedBytes) -> DERElement {
        do throws(MalformedBytes) {
            let start = bytes.offset
            let tag = try bytes.byte(field)
            guard tag & 0x1f != 0x1f else {
                throw MalformedBytes(field, at: start, .invalid("has a long tag"))
            }
            let length = try bytes.derLength(field)
            let contentStart = base + bytes.offset
            return DERElement(
                tag: tag,
                start: base + start,
                contentStart: contentStart,
                content: try bytes.bytes(length, field),
            )
        } catch {
            throw error.moved(by: base)
        }
    }

    /// The next element, which must carry `tag`.
    package mutating func element(
        _ tag: UInt8,
        _ field: String,
    ) throws(MalformedBytes) -> DERElement {
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

    package func end(_ field: String) throws(MalformedBytes) {
        guard bytes.isAtEnd else {
            throw MalformedBytes(
                field,
                at: base + bytes.offset,
                .invalid("have \(bytes.remaining) bytes left over"),
            )
        }
    }

    package func value(_ element: DERElement) throws(MalformedBytes) -> DERValue {
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
            var items: [DERValue] = []
            var reader = inside(element)
            while !reader.isAtEnd {
                items.append(try reader.value(try reader.element("array element")))
            }
            return .array(items)
        case DERTag.dictionary, DERTag.set: return .dictionary(try entries(element))
        default: return .unknown(tag: element.tag, Array(content))
        }
    }

    /// What `[APPLICATION 16] { version INTEGER, [CONTEXT 16] { SEQUENCE { key, value }… } }` holds.
    package func entitlements(
        _ element: DERElement
    ) throws(MalformedBytes) -> (version: Int64, entries: [DERValue.Entry]) {
        var body = inside(element)
        let number = try body.element(DERTag.integer, "version")
        guard case .integer(let version) = try integer(number) else {
            throw MalformedBytes("version", at: number.start, .invalid("is too large"))
        }
        let entries = try body.entries(
            try body.element(DERTag.dictionary, "entitlements dictionary")
        )
        try body.end("entitlements")
        return (version, entries)
    }

    /// The entries of a dictionary: SEQUENCEs of a key and a value.
    package func entries(
        _ element: DERElement
    ) throws(MalformedBytes) -> [DERValue.Entry] {
        var entries: [DERValue.Entry] = []
        var keys: Set<String> = []
        var reader = inside(element)
        while !reader.isAtEnd {
            let pair = try reader.element(DERTag.sequence, "entitlement")
            var body = reader.inside(pair)
            let key = try text(try body.element(DERTag.text, "key"))
            let value = try body.value(try body.element("value"))
            try body.end("entitlement")
            guard keys.insert(key).inserted else {
                throw MalformedBytes("key", at: pair.start, .invalid("appears twice"))
            }
            entries.append(DERValue.Entry(key: key, value: value))
        }
        return entries
    }

    package func text(_ element: DERElement) throws(MalformedBytes) -> String {
        guard let text = String(validating: element.content, as: UTF8.self) else {
            throw MalformedBytes("text", at: element.start, .invalid("is not UTF-8"))
        }
        return text
    }

    private func integer(_ element: DERElement) throws(MalformedBytes) -> DERValue {
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
