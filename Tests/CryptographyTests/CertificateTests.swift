import Bytes
import Cryptography
import Foundation
import TestSupport
import Testing

struct CertificateTests {
    static let appleFolder =
        "apple-oss-distributions+Security/OSX/shared_regressions/si-20-sectrust-policies-data/"

    /// Files with additional bytes after the certificate.
    static let padded = ["AppleAAICA.cer", "AppleISTCA8G1.cer", "AppleTimestampCA.cer"]

    static func fixture(_ name: String) throws -> Certificate {
        let item = try #require(Fixtures.all.first { $0.path == appleFolder + name })
        return try Certificate(der: try item.bytes())
    }

    @Test func `Apple's roots are the published ones`() {
        #expect(
            TrustAnchors.apple.certificates.map(\.sha256.description) == [
                "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024",
                "c2b9b042dd57830e7d117dac55ac8ae19407d38e41d88f3215bc3a890444a050",
                "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179",
            ]
        )
        #expect(
            TrustAnchors.apple.certificates.map(\.description)
                == ["Apple Root CA", "Apple Root CA - G2", "Apple Root CA - G3"]
        )
        #expect(
            TrustAnchors.apple.certificates.map(\.publicKeyDescription)
                == ["RSA 2048", "RSA 4096", "EC P-384"]
        )
        for root in TrustAnchors.apple.certificates {
            #expect(root.isSigned(by: root))
            #expect(root.isSelfIssued && root.isAuthority)
            #expect(TrustAnchors.apple.isApple(root))
        }
    }

    @Test(.enabled(if: Fixtures.arePresent, "real fixtures are absent"))
    func `an old device authority is read and its weak signature proven`() throws {
        let device = try Self.fixture("AppleiPh0neDeviceCA.cer")
        let above = try Self.fixture("AppleiPh0neCA.cer")
        #expect(device.publicKeyDescription == "RSA 1024")
        #expect(device.subject.commonName == "Apple iPhone Device CA")
        #expect(device.subject.organizationalUnit == "Apple iPhone")
        #expect(
            device.issuer.description
                == "CN=Apple iPhone Certification Authority, OU=Apple Certification Authority, "
                + "O=Apple Inc., C=US"
        )
        #expect(device.notAfter == Date(timeIntervalSince1970: 1_397_688_886))
        #expect(device.isSigned(by: above))
        #expect(above.isSigned(by: TrustAnchors.apple.certificates[0]))
        #expect(!above.isSigned(by: TrustAnchors.apple.certificates[1]))
        #expect(!above.isSigned(by: TrustAnchors.apple.certificates[2]))
    }

    @Test(.enabled(if: Fixtures.arePresent, "real fixtures are absent"))
    func `lookalikes of Apple's roots are not Apple's`() throws {
        for name in ["FakeAppleRootCA.cer", "TestAppleRootCA.cer", "TestAppleRootCAG3.cer"] {
            let lookalike = try Self.fixture(name)
            #expect(!TrustAnchors.apple.isApple(lookalike))
            #expect(!TrustAnchors.apple.certificates.contains { lookalike.isSigned(by: $0) })
        }
        let fake = try Self.fixture("FakeAppleRootCA.cer")
        #expect(fake.subject == TrustAnchors.apple.certificates[0].subject)
        #expect(!(try Self.fixture("AppleiPhoneCA.cer")).isSigned(by: fake))
    }

    @Test(.enabled(if: Fixtures.arePresent, "real fixtures are absent"))
    func `a developer's certificate names its team`() throws {
        let item = try #require(
            Fixtures.all.first { $0.path.hasSuffix("apple-signed-apple-distribution.cer") }
        )
        let certificate = try Certificate(der: try item.bytes())
        #expect(certificate.subject.userIdentifier == certificate.subject.organizationalUnit)
        #expect(certificate.extendedKeyUsages == [.codeSigning])
        #expect(certificate.criticalExtensionOIDs.contains("1.2.840.113635.100.6.1.4"))
        #expect(!certificate.isAuthority)
        #expect(certificate.keyUsage == .digitalSignature)
    }

    @Test(
        .enabled(
            if: Fixtures.arePresent && OpenSSLCommand.isPresent,
            "fixtures or openssl absent",
        ),
        arguments: Fixtures.items(ofKind: "cert"),
    )
    func `every real certificate reads as openssl reads it`(item: Fixtures.Item) async throws {
        let bytes = try item.bytes()
        guard !Self.padded.contains(where: item.path.hasSuffix) else {
            #expect(throws: MalformedCertificate.notACertificate(reason: "bytes follow it")) {
                try Certificate(der: bytes)
            }
            return
        }
        let certificate =
            item.path.hasSuffix(".pem")
            ? try #require(
                try Certificate.chain(pem: String(decoding: bytes, as: UTF8.self)).first
            )
            : try Certificate(der: bytes)
        try await withTemporaryFolder { folder in
            try folder.write(certificate.der, as: "c.der")
            let text = try OpenSSLCommand.text(
                "x509 -in c.der -inform DER -noout -serial -startdate -enddate -dateopt iso_8601",
                in: folder,
            )
            let values = text.split(separator: "\n").map {
                $0.split(separator: "=", maxSplits: 1).last.map(String.init) ?? ""
            }
            let serial = values[0].lowercased().drop { $0 == "0" }
            #expect(certificate.serialNumber == (serial.isEmpty ? "0" : serial))
            let time = { (date: Date) in
                date.ISO8601Format().replacingOccurrences(of: "T", with: " ")
            }
            #expect(time(certificate.notBefore) == values[1])
            #expect(time(certificate.notAfter) == values[2])
        }
        #expect(try Certificate.chain(pem: certificate.pem) == [certificate])
    }

    @Test func `bytes before or after a certificate are refused`() throws {
        let der = TrustAnchors.apple.certificates[2].der
        #expect(throws: MalformedCertificate.self) { try Certificate(der: der + [0]) }
        #expect(throws: MalformedCertificate.self) { try Certificate(der: [0] + der) }
        #expect(throws: MalformedCertificate.self) { try Certificate(der: []) }
    }

    @Test func `damaged certificates never trap`() {
        for root in TrustAnchors.apple.certificates {
            for prefix in SeededDamage.prefixes(of: root.der) {
                #expect(throws: MalformedCertificate.self) { try Certificate(der: prefix) }
            }
            for damaged in SeededDamage.flips(
                of: root.der,
                count: TestDepth.samples(400, long: 1500),
                seed: 11,
            ) {
                guard let certificate = try? Certificate(der: damaged) else { continue }
                #expect(!certificate.isSigned(by: root) || certificate == root)
            }
        }
    }

    @Test func `a bundle keeps its order, and text without certificates is refused`() throws {
        let roots = TrustAnchors.apple.certificates
        #expect(try Certificate.chain(pem: roots.pem) == roots)
        for text in ["", "hello", PEM.text("PRIVATE KEY", [1]), "-----BEGIN CERTIFICATE-----"] {
            #expect(throws: MalformedCertificate.noCertificateInText) {
                try Certificate.chain(pem: text)
            }
        }
    }

    @Test func `a name that hides control characters is shown escaped`() throws {
        let identity = try TestAuthority.p256.get().intermediate
            .issuing("evil\u{1b}[31m\n\u{202e}", serial: 9)
        #expect(identity.certificate.description == "evil\\u{1B}[31m\\n\\u{202E}")
    }
}
