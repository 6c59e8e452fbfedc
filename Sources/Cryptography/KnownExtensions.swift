import ASN1Reading
import Bytes
import SwiftASN1

/// The extensions that determine what a certificate may be used for, parsed.
struct KnownExtensions {
    private(set) var isAuthority = false
    private(set) var pathLength: Int?
    private(set) var keyUsage: KeyUsage?
    private(set) var extendedKeyUsages: [OID] = []
    private(set) var hosts: [AlternativeName] = []
    private(set) var subjectKeyIdentifier: [UInt8]?

    init(reading extensions: [CertificateExtension]) throws(MalformedBytes) {
        for item in extensions {
            switch item.oid {
            case .basicConstraints: try readBasicConstraints(item.value)
            case .keyUsage: try readKeyUsage(item.value)
            case .extendedKeyUsage: try readExtendedKeyUsage(item.value)
            case .subjectAlternativeName: try readAlternativeNames(item.value)
            case .subjectKeyIdentifier:
                let field = "subject key identifier"
                let root = try ElementReader.root(item.value[...], field)
                subjectKeyIdentifier = try ElementReader.octets(of: root, .octetString, field)
            default: continue
            }
        }
    }

    // BasicConstraints ::= SEQUENCE { cA BOOLEAN DEFAULT FALSE, pathLenConstraint INTEGER OPTIONAL }
    private mutating func readBasicConstraints(_ value: [UInt8]) throws(MalformedBytes) {
        let field = "basic constraints"
        var fields = try ElementReader(
            try ElementReader.root(value[...], field),
            .sequence,
            field,
        )
        if let authority = fields.optional(.boolean),
            case .primitive(let octets) = authority.content
        {
            isAuthority = octets.contains { $0 != 0 }
        }
        if let length = fields.optional(.integer), case .primitive(let octets) = length.content {
            guard octets.count == 1, let value = octets.first, value < 0x80 else {
                throw MalformedBytes(field, at: 0, .invalid("has an invalid path length"))
            }
            pathLength = Int(value)
        }
        try fields.end()
    }

    private mutating func readKeyUsage(_ value: [UInt8]) throws(MalformedBytes) {
        let root = try ElementReader.root(value[...], "key usage")
        guard root.identifier == .bitString, case .primitive(let octets) = root.content,
            !octets.isEmpty
        else { throw MalformedBytes("key usage", at: 0, .invalid("is not a bit string")) }
        keyUsage = KeyUsage(rawValue: octets.dropFirst().first ?? 0)
    }

    private mutating func readExtendedKeyUsage(_ value: [UInt8]) throws(MalformedBytes) {
        let field = "extended key usage"
        var purposes = try ElementReader(
            try ElementReader.root(value[...], field),
            .sequence,
            field,
        )
        while !purposes.isAtEnd {
            extendedKeyUsages.append(try purposes.objectIdentifier("purpose"))
        }
    }

    // GeneralName ::= CHOICE { … dNSName [2] IA5String, … iPAddress [7] OCTET STRING … }
    private mutating func readAlternativeNames(_ value: [UInt8]) throws(MalformedBytes) {
        let field = "alternative names"
        var names = try ElementReader(try ElementReader.root(value[...], field), .sequence, field)
        for name in names.rest() {
            guard name.identifier.tagClass == .contextSpecific,
                case .primitive(let octets) = name.content
            else { continue }
            switch name.identifier.tagNumber {
            case 2: hosts.append(.dns(String(decoding: octets, as: UTF8.self)))
            case 7 where octets.count == 4 || octets.count == 16:
                hosts.append(.address(Array(octets)))
            default: continue
            }
        }
    }
}
