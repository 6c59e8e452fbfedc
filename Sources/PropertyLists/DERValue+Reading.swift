import ASN1Reading
package import Bytes
import SwiftASN1

extension DERValue {
    /// The maximum number of elements: about a hundred times those of entitlements and profiles, and ten
    /// megabytes in the parser.
    private static let elementLimit = 100_000

    /// Reads the only value in `bytes`; errors have `field` as the name of the whole, and offsets from
    /// the first byte.
    ///
    /// - Throws: ``MalformedBytes`` for indefinite or non-minimal lengths, duplicate keys, trailing
    ///   bytes, more than the parser's 50 levels of nesting, and more than 100,000 elements.
    package init(reading bytes: [UInt8], _ field: String) throws(MalformedBytes) {
        guard ElementCount.isAtMost(Self.elementLimit, in: bytes) else {
            throw MalformedBytes(field, at: 0, .invalid("has too many elements"))
        }
        try self.init(try ElementReader.root(bytes[...], field, isDistinguished: true))
    }

    private init(_ node: ASN1Node) throws(MalformedBytes) {
        let start = node.encodedBytes.startIndex
        guard let tag = node.encodedBytes.first, tag & 0x1f != 0x1f else {
            throw MalformedBytes("value", at: start, .invalid("has a long tag"))
        }
        switch (node.identifier, node.content) {
        case (.boolean, .primitive(let content)):
            // DER uses 0xff for true; Xcode 12 wrote 1.
            guard content.count == 1, let byte = content.first else {
                throw MalformedBytes("boolean", at: start, .invalid("is not a boolean"))
            }
            self = .boolean(byte != 0)
        case (.integer, .primitive(let digits)):
            self = try Self.integer(node) ?? .unknown(tag: tag, Array(digits))
        case (.octetString, .primitive(let content)): self = .data(Array(content))
        case (.utf8String, .primitive): self = .string(try Self.text(node))
        case (.sequence, .constructed(let items)):
            var values: [DERValue] = []
            for item in items { values.append(try DERValue(item)) }
            self = .array(values)
        case (.dictionary, .constructed), (.set, .constructed):
            self = .dictionary(try Self.entries(of: node))
        case (.versioned, .constructed): self = try Self.versioned(node)
        case (_, .primitive(let content)): self = .unknown(tag: tag, Array(content))
        case (_, .constructed(let items)):
            self = .unknown(tag: tag, items.flatMap { Array($0.encodedBytes) })
        }
    }

    private static func versioned(_ node: ASN1Node) throws(MalformedBytes) -> DERValue {
        var body = try ElementReader(node, .versioned, "entitlements")
        let number = try body.next("version")
        guard case .integer(let version) = try DERValue(number) else {
            throw MalformedBytes(
                "version",
                at: number.encodedBytes.startIndex,
                .invalid("is not a 64-bit integer"),
            )
        }
        let list = try body.next("entitlements dictionary")
        guard list.identifier == .dictionary else {
            throw MalformedBytes(
                "entitlements dictionary",
                at: list.encodedBytes.startIndex,
                .unexpected(found: "\(list.identifier)"),
            )
        }
        try body.end()
        return .versioned(version, try entries(of: list))
    }

    /// The entries of a dictionary: SEQUENCEs of a key and a value.
    private static func entries(of node: ASN1Node) throws(MalformedBytes) -> [Entry] {
        var entries: [Entry] = []
        var keys: Set<String> = []
        var pairs = try ElementReader(node, node.identifier, "dictionary")
        while !pairs.isAtEnd {
            let pair = try pairs.next("entry")
            var body = try ElementReader(pair, .sequence, "entry")
            let key = try text(try body.next("key"))
            let value = try DERValue(try body.next("value"))
            try body.end()
            guard keys.insert(key).inserted else {
                throw MalformedBytes(
                    "key",
                    at: pair.encodedBytes.startIndex,
                    .invalid("appears twice"),
                )
            }
            entries.append(Entry(key: key, value: value))
        }
        return entries
    }

    private static func text(_ node: ASN1Node) throws(MalformedBytes) -> String {
        guard node.identifier == .utf8String, case .primitive(let content) = node.content,
            let text = String(validating: content, as: UTF8.self)
        else {
            throw MalformedBytes(
                "text",
                at: node.encodedBytes.startIndex,
                .invalid("is not a UTF-8 string"),
            )
        }
        return text
    }

    /// Nil for a number with more than 64 bits.
    private static func integer(_ node: ASN1Node) throws(MalformedBytes) -> DERValue? {
        do {
            return .integer(try Int64(derEncoded: node))
        } catch {
            guard case .primitive(let digits) = node.content, digits.count > 8, isShortest(digits)
            else {
                throw MalformedBytes(
                    "integer",
                    at: node.encodedBytes.startIndex,
                    .invalid("has no digits or a superfluous one"),
                )
            }
            return nil
        }
    }

    /// Whether the first nine bits are neither all zeroes nor all ones (X.690 section 8.3.2).
    private static func isShortest(_ digits: ArraySlice<UInt8>) -> Bool {
        let sign: UInt8? = digits.dropFirst().first.map { $0 < 0x80 ? 0 : 0xff }
        return digits.first != sign
    }
}

extension ASN1Identifier {
    fileprivate static let versioned = ASN1Identifier(tagWithNumber: 16, tagClass: .application)
    fileprivate static let dictionary = ASN1Identifier(
        tagWithNumber: 16,
        tagClass: .contextSpecific,
    )
}
