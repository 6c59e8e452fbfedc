import Cryptography
import Foundation
import TestSupport
import Testing

struct DeviceEnrolmentPolicyTests {
    private static let folder =
        "apple-oss-distributions+Security/OSX/shared_regressions/si-20-sectrust-policies-data/"

    private func certificate(_ name: String) throws -> Certificate {
        let item = try #require(Fixtures.all.first { $0.path == Self.folder + name })
        return try Certificate(der: item.bytes())
    }

    @Test func `the pinned authority is the one that Apple publishes`() throws {
        let pinned = TrustAnchors.appleDevices.certificates
        #expect(pinned.count == 1)
        let authority = try #require(pinned.first)
        #expect(
            authority.sha256.description
                == "76f27d00e1333bc88de0e2916c38c9a7f2b75774c25a794c092a80e3c4c66cce"
        )
        #expect(authority.subject.commonName == "Apple iPhone Device CA")
        #expect(authority.publicKeyDescription == "RSA 1024")
        #expect(authority.notAfter.ISO8601Format() == "2014-04-16T22:54:46Z")
        #expect(TrustAnchors.appleDevices.isApple(authority))
        #expect(!TrustAnchors.apple.isApple(authority))
    }

    @Test(.enabled(if: Fixtures.arePresent, "real fixtures are absent"))
    func `a real device's certificate is signed by it, long after both ended`() throws {
        let authority = try #require(TrustAnchors.appleDevices.certificates.first)
        #expect(try certificate("AppleiPhoneDeviceCA.cer") == authority)
        let device = try certificate("device_cert.cer")
        #expect(device.isSigned(by: authority))
        #expect(device.notAfter < Date(timeIntervalSince1970: 1_800_000_000))
        #expect(authority.isSigned(by: try certificate("AppleiPhoneCA.cer")))
        #expect(!(try certificate("factory_device_cert.cer")).isSigned(by: authority))
    }

    @Test(.enabled(if: Fixtures.arePresent, "real fixtures are absent"))
    func `a real device's certificate proves nothing without its key`() throws {
        let stolen = SigningIdentity(
            certificate: try certificate("device_cert.cer"),
            key: try PrivateKey.generate(.rsa1024),
        )
        var signer = CMSSigner(stolen, digest: .sha1)
        signer.hasAttributes = false
        let message = try SignedMessage(reading: signer.sign([1, 2, 3]), limits: .enrolment)
        #expect(throws: SignatureRefusal.signatureInvalid) {
            try message.verified(by: .deviceEnrolment, anchors: .appleDevices, at: Date())
        }
    }

    @Test func `a message with more certificates than a phone sends is refused`() throws {
        let authority = try TestAuthority.p256.get()
        let many = SigningIdentity(
            certificate: authority.signer.certificate,
            key: authority.signer.key,
            chain: try (1...8).map { try authority.root.issuing("other", serial: $0).certificate },
        )
        let bytes = try CMSSigner(many).sign([1])
        #expect(throws: MalformedMessage.tooManyCertificates(limit: 8)) {
            try SignedMessage(reading: bytes, limits: .enrolment)
        }
        _ = try SignedMessage(reading: bytes)
    }
}
