import ASN1Reading
import Bytes
import SwiftASN1

extension Certificate {
    /// The identifier of the key that signed the certificate: `keyIdentifier` of the authority key
    /// identifier extension (RFC 5280 section 4.2.1.1); nil when absent or malformed.
    package var authorityKeyIdentifier: [UInt8]? {
        guard let item = extensions.first(where: { $0.oid == .authorityKeyIdentifier }) else {
            return nil
        }
        return try? Self.keyIdentifier(in: item.value)
    }

    // AuthorityKeyIdentifier ::= SEQUENCE { keyIdentifier [0] OPTIONAL, … }
    private static func keyIdentifier(in value: [UInt8]) throws(MalformedBytes) -> [UInt8]? {
        let field = "authority key identifier"
        var parts = try ElementReader(try ElementReader.root(value[...], field), .sequence, field)
        let tag = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
        guard let node = parts.optional(tag) else { return nil }
        return try ElementReader.octets(of: node, tag, field)
    }
}
