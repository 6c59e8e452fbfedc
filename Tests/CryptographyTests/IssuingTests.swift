import Bytes
import Cryptography
import Foundation
import TestSupport
import Testing

struct IssuingTests {
    static let year =
        Date(
            timeIntervalSince1970: 1_700_000_000
        )...Date(
            timeIntervalSince1970: 1_731_536_000
        )

    @Test func `an RSA authority issues the same bytes for the same template`() throws {
        let authority = try TestAuthority.rsa.get().root
        let key = try PrivateKey.generate(.p256)
        let template = CertificateTemplate.server(
            [.dns("a.test")],
            serial: [9],
            validity: Self.year,
        )
        #expect(
            try template.issued(for: key, by: authority)
                == template.issued(for: key, by: authority)
        )
    }

    @Test func `what a template says is what the certificate says`() throws {
        let authority = try TestAuthority.p256.get().root
        let key = try PrivateKey.generate(.rsa2048)
        var template = CertificateTemplate(
            subject: DistinguishedName(
                commonName: "Prüfer",
                organization: "O",
                organizationalUnit: "U",
                country: "DE",
            ),
            serial: [0xff, 0x01],
            notBefore: Self.year.lowerBound,
            notAfter: Self.year.upperBound,
        )
        template.hosts = [.dns("ota.test"), AlternativeName("192.0.2.1"), AlternativeName("::1")]
        template.keyUsage = [.digitalSignature, .keyEncipherment]
        template.extendedKeyUsages = [.serverAuthentication, .codeSigning]
        let custom = CertificateExtension(
            "1.2.840.113635.100.6.1.4",
            isCritical: true,
            value: DERBytes.null,
        )
        template.customExtensions = [custom]
        let certificate = try template.issued(for: key, by: authority)
        #expect(certificate.subject == template.subject)
        #expect(certificate.subject.der == template.subject.der)
        #expect(certificate.subject.description == "CN=Prüfer, OU=U, O=O, C=DE")
        #expect(certificate.issuer == authority.certificate.subject)
        #expect(certificate.serialNumber == "ff01")
        #expect(certificate.notBefore == Self.year.lowerBound)
        #expect(certificate.notAfter == Self.year.upperBound)
        #expect(certificate.alternativeNames == ["ota.test", "192.0.2.1", "::1"])
        #expect(certificate.keyUsage == template.keyUsage)
        #expect(certificate.extendedKeyUsages == template.extendedKeyUsages)
        #expect(certificate.extensions.last == custom)
        #expect(certificate.publicKeyDescription == "RSA 2048")
        #expect(!certificate.isAuthority)
        #expect(certificate.isSigned(by: authority.certificate))
        #expect(key.matches(certificate))
        #expect(!authority.key.matches(certificate))
    }

    @Test(arguments: [([0], "0"), ([], "0"), ([0x10], "10"), ([0x0f, 0], "f00")])
    func `a serial number has a digit even where it is zero`(
        serial: [UInt8],
        digits: String,
    ) throws {
        let key = try PrivateKey.generate(.p256)
        let template = CertificateTemplate(
            subject: DistinguishedName(commonName: "a"),
            serial: serial,
            notBefore: Self.year.lowerBound,
            notAfter: Self.year.upperBound,
        )
        #expect(try template.issued(for: key).serialNumber == digits)
    }

    @Test func `a server certificate lives 825 days at most`() throws {
        let long = Self.year.lowerBound...Self.year.lowerBound.addingTimeInterval(4000 * 86_400)
        let template = CertificateTemplate.server([.dns("a.test")], serial: [1], validity: long)
        let certificate = try template.issued(for: try .generate(.p256))
        let days = certificate.notAfter.timeIntervalSince(certificate.notBefore) / 86_400
        #expect(days < 825 && days > 824)
    }

    @Test func `random serials are positive and differ`() {
        let serials = (0..<100).map { _ in CertificateTemplate.randomSerial() }
        #expect(Set(serials).count == 100)
        #expect(serials.allSatisfy { $0.count == 16 && (0x40...0x7f).contains($0[0]) })
    }

    @Test(
        .enabled(if: OpenSSLCommand.isPresent, "openssl is absent"),
        arguments: [PrivateKey.Recipe.p256, .rsa2048],
    )
    func `openssl accepts a server certificate strictly`(recipe: PrivateKey.Recipe) async throws {
        let authority = try TestAuthority(recipe)
        let key = try PrivateKey.generate(recipe)
        let server = try CertificateTemplate.server(
            [.dns("ota.test"), AlternativeName("192.0.2.1")],
            serial: CertificateTemplate.randomSerial(),
            validity: TestAuthority.validity,
        ).issued(for: key, by: authority.intermediate)
        try await withTemporaryFolder { folder in
            try folder.write(authority.root.certificate.pem, as: "root.pem")
            try folder.write(authority.intermediate.certificate.pem, as: "ca.pem")
            try folder.write(server.pem, as: "leaf.pem")
            let verify =
                "verify -x509_strict -attime 1750000000 -purpose sslserver "
                + "-CAfile root.pem -untrusted ca.pem "
            try OpenSSLCommand.run(verify + "-verify_hostname ota.test leaf.pem", in: folder)
            try OpenSSLCommand.run(verify + "-verify_ip 192.0.2.1 leaf.pem", in: folder)
            #expect(throws: OpenSSLCommand.Failure.self) {
                try OpenSSLCommand.run(verify + "-verify_hostname b.test leaf.pem", in: folder)
            }
        }
    }
}
