import Cryptography
import Foundation
import Testing

@testable import HTTPServing

/// Which certificates are signed by one of the system's roots.
struct SystemRootsTests {
    private static let validity =
        Date(timeIntervalSince1970: 1_800_000_000)...Date(timeIntervalSince1970: 1_900_000_000)

    private static func authority(
        _ name: DistinguishedName,
        below issuer: SigningIdentity? = nil,
    ) throws -> SigningIdentity {
        let key = try PrivateKey.generate(.p256)
        let template = CertificateTemplate.authority(name, serial: [1], validity: validity)
        return SigningIdentity(
            certificate: try template.issued(for: key, by: issuer),
            key: key,
            chain: [],
        )
    }

    @Test func `of two roots with the issuer's name the right one counts`() throws {
        let name = DistinguishedName(commonName: "Root", organization: "Example")
        let (root, other) = (try Self.authority(name), try Self.authority(name))
        let stranger = try Self.authority(DistinguishedName(commonName: "Stranger"))
        let below = try Self.authority(DistinguishedName(commonName: "Below"), below: root)
        let roots = SystemRoots([stranger, other, root].map(\.certificate.der) + [[0x30, 0x00]])
        #expect(roots.signed(below.certificate))
        #expect(!SystemRoots([stranger, other].map(\.certificate.der)).signed(below.certificate))
        #expect(!SystemRoots([]).signed(below.certificate))
    }

    @Test func `a root whose name is encoded in another way is found`() throws {
        // The country is a PrintableString in one certificate and a UTF8String in the other.
        let name = DistinguishedName(commonName: "Root", country: "DE")
        let root = try Self.authority(name)
        let printable: [UInt8] = [0x13, 0x02, 0x44, 0x45]
        let utf8: [UInt8] = [0x0C, 0x02, 0x44, 0x45]
        let der = root.certificate.der.replacing(printable, with: utf8)
        let renamed = SigningIdentity(
            certificate: try Certificate(der: der),
            key: root.key,
            chain: [],
        )
        #expect(renamed.certificate.subject.der != root.certificate.subject.der)
        let below = try Self.authority(DistinguishedName(commonName: "Below"), below: renamed)
        #expect(SystemRoots([root.certificate.der]).signed(below.certificate))
    }
}
