package import Bytes
package import SwiftASN1

/// The children of one ASN.1 element, read in the order of the grammar.
///
/// Offsets in errors are indices of the slice that was parsed.
package struct ElementReader {
    private var nodes: ASN1NodeCollection.Iterator
    private var peeked: ASN1Node?
    private let field: String
    private let offset: Int

    /// Enters a constructed element with the tag `identifier`.
    package init(
        _ node: ASN1Node,
        _ identifier: ASN1Identifier,
        _ field: String,
    ) throws(MalformedBytes) {
        offset = node.encodedBytes.startIndex
        guard node.identifier == identifier, case .constructed(let children) = node.content else {
            throw MalformedBytes(field, at: offset, .unexpected(found: Self.name(node)))
        }
        nodes = children.makeIterator()
        peeked = nodes.next()
        self.field = field
    }

    /// Parses the only element in `bytes`, in BER or DER.
    ///
    /// The parser recurses at most 50 levels, compares lengths with the available bytes before allocating
    /// memory, and uses a hundred bytes for every element. Limit the number of elements of large
    /// untrusted input with ``ElementCount``.
    package static func root(
        _ bytes: ArraySlice<UInt8>,
        _ field: String,
        isDistinguished: Bool = false,
    ) throws(MalformedBytes) -> ASN1Node {
        do {
            return isDistinguished ? try DER.parse(bytes) : try BER.parse(bytes)
        } catch {
            let reason = (error as? ASN1Error).map { "\($0.code)" } ?? "unreadable"
            throw MalformedBytes(field, at: bytes.startIndex, .invalid("is not ASN.1 (\(reason))"))
        }
    }

    package var isAtEnd: Bool { peeked == nil }

    /// The next child; `field` names it in the error when it is missing.
    package mutating func next(_ field: String) throws(MalformedBytes) -> ASN1Node {
        guard let node = peeked else {
            throw MalformedBytes(field, at: offset, .invalid("is missing from the \(self.field)"))
        }
        peeked = nodes.next()
        return node
    }

    /// The next child if it has the tag `identifier`; else nil.
    package mutating func optional(_ identifier: ASN1Identifier) -> ASN1Node? {
        guard let node = peeked, node.identifier == identifier else { return nil }
        peeked = nodes.next()
        return node
    }

    /// The remaining children, with any tags.
    package mutating func rest() -> [ASN1Node] {
        var found: [ASN1Node] = []
        while let node = peeked {
            found.append(node)
            peeked = nodes.next()
        }
        return found
    }

    /// Refuses remaining children, which the grammar does not allow.
    package func end() throws(MalformedBytes) {
        guard let node = peeked else { return }
        throw MalformedBytes(
            field,
            at: node.encodedBytes.startIndex,
            .invalid("has a superfluous \(Self.name(node))"),
        )
    }

    private static func name(_ node: ASN1Node) -> String { "\(node.identifier)" }
}

extension ElementReader {
    /// The content octets of an INTEGER.
    package mutating func integer(_ field: String) throws(MalformedBytes) -> [UInt8] {
        Array(try primitive(.integer, field))
    }

    /// The value of an OCTET STRING, joined if it is constructed.
    package mutating func octetString(_ field: String) throws(MalformedBytes) -> [UInt8] {
        try Self.octets(of: try next(field), .octetString, field)
    }

    /// The content octets of the next child, which must be a non-empty primitive with the tag
    /// `identifier`.
    package mutating func primitive(
        _ identifier: ASN1Identifier,
        _ field: String,
    ) throws(MalformedBytes) -> ArraySlice<UInt8> {
        let node = try next(field)
        guard node.identifier == identifier, case .primitive(let content) = node.content,
            !content.isEmpty
        else {
            throw MalformedBytes(
                field,
                at: node.encodedBytes.startIndex,
                .unexpected(found: Self.name(node)),
            )
        }
        return content
    }

    /// The octets of a string that may be constructed of substrings (X.690 section 8.7).
    package static func octets(
        of node: ASN1Node,
        _ identifier: ASN1Identifier,
        _ field: String,
    ) throws(MalformedBytes) -> [UInt8] {
        do {
            return Array(try ASN1OctetString(berEncoded: node, withIdentifier: identifier).bytes)
        } catch {
            throw MalformedBytes(
                field,
                at: node.encodedBytes.startIndex,
                .unexpected(found: name(node)),
            )
        }
    }
}
