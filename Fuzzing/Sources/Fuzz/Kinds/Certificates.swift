import Cryptography
import Foundation
import Sample

/// `certificate`: a certificate's text form is the same certificate, and the authority's signature is valid
/// for no new key.
struct Certificates: InputKind {
    static let name = "certificate"

    private let root: Certificate
    /// The public keys that the authority has certified.
    private let genuine: Set<[UInt8]>

    init(trusting root: Certificate, seeds: [[UInt8]]) {
        self.root = root
        genuine = Set(
            seeds.flatMap(Self.certificates).filter { $0.isSigned(by: root) }.map(\.publicKey)
        )
        promise(!genuine.isEmpty, "the authority has signed no seed")
    }

    static func seeds(by authority: SeedAuthority) throws -> [String: [UInt8]] {
        let sample = authority.sample
        let key = try PrivateKey.generate(.p256)
        var server = CertificateTemplate(
            subject: DistinguishedName(commonName: "ota.example.com"),
            serial: [1],
            notBefore: SeedAuthority.date,
            notAfter: SeedAuthority.date.addingTimeInterval(86_400),
        )
        server.hosts = [.dns("ota.example.com"), .address([192, 0, 2, 1])]
        server.keyUsage = .digitalSignature
        server.extendedKeyUsages = ["1.3.6.1.5.5.7.3.1"]
        return [
            "root": sample.root.certificate.der,
            "intermediate": sample.worldwideAuthority.certificate.der,
            "developer": sample.distribution.certificate.der,
            "server": try server.issued(for: key).der,
            "bundle.pem": Array(sample.distribution.certificate.pem.utf8),
        ]
    }

    func check(_ input: [UInt8]) {
        for certificate in Self.certificates(in: input) { check(certificate) }
    }

    private func check(_ certificate: Certificate) {
        let again = accepted { () throws(MalformedCertificate) in
            try Certificate.chain(pem: certificate.pem)
        }
        promise(again == [certificate], "the text form is another certificate")
        promise(!certificate.serialNumber.isEmpty, "a certificate without a serial number")
        _ = (
            certificate.description, certificate.alternativeNames, certificate.subject.description,
        )
        _ = (certificate.publicKeyDescription, certificate.criticalExtensionOIDs)
        promise(
            !certificate.isSigned(by: root) || genuine.contains(certificate.publicKey),
            "the authority's signature is on a key that it never signed",
        )
    }

    private static func certificates(in input: [UInt8]) -> [Certificate] {
        let one = accepted { () throws(MalformedCertificate) in try Certificate(der: input) }
        if let one { return [one] }
        let text = String(decoding: input, as: UTF8.self)
        return accepted { () throws(MalformedCertificate) in try Certificate.chain(pem: text) }
            ?? []
    }
}
