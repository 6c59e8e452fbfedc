import Bytes
import Cryptography
import Foundation
import TestSupport
import Testing

struct SignedMessageTests {
    static let content = Array("<?xml version=\"1.0\"?><plist/>".utf8)

    @Test(
        arguments: [TestAuthority.rsa, TestAuthority.p256],
        DigestAlgorithm.allCases,
    )
    func `what we sign we verify`(
        authority: Result<TestAuthority, any Error>,
        digest: DigestAlgorithm,
    ) throws {
        let authority = try authority.get()
        let signed = try CMSSigner(authority.signer, digest: digest)
            .sign(Self.content, at: TestAuthority.now)
        let message = try SignedMessage(reading: signed)
        #expect(message.content == Self.content)
        #expect(message.contentType == .data)
        #expect(message.certificates.count == 3)
        let verified = try message.verified(
            by: .provisioningProfile,
            anchors: authority.anchors,
            at: TestAuthority.now,
        )
        #expect(verified.content == Self.content)
        #expect(verified.anchor == .privateAuthority("Test Root CA"))
        #expect(verified.anchor != .apple)
        #expect(
            verified.chain == [
                authority.signer.certificate, authority.intermediate.certificate,
                authority.root.certificate,
            ]
        )
        #expect(verified.signer == authority.signer.certificate)
        #expect(verified.signingTime == TestAuthority.now)
    }

    @Test func `attributes out of order verify over the bytes as they are`() throws {
        let authority = try TestAuthority.rsa.get()
        var signer = CMSSigner(authority.signer)
        let values = [
            DERBytes.sequence(DERBytes.objectIdentifier("2.16.840.1.101.3.4.2.1")),
            DERBytes.sequence(DERBytes.objectIdentifier("1.3.14.3.2.26")),
        ]
        signer.extraAttributes = [.init("1.2.840.113635.100.9.2", values)]
        signer.attributeOrder = .asGiven
        let message = try SignedMessage(reading: try signer.sign(Self.content, at: .now))
        let verified = try message.verified(
            by: .provisioningProfile,
            anchors: authority.anchors,
            at: .now,
        )
        #expect(verified.attributes?.values["1.2.840.113635.100.9.2"] == values)
    }

    @Test func `a signature over the content itself is accepted`() throws {
        let authority = try TestAuthority.rsa.get()
        var signer = CMSSigner(authority.signer, digest: .sha1)
        signer.hasAttributes = false
        let message = try SignedMessage(reading: try signer.sign(Self.content))
        let verified = try message.verified(
            by: .provisioningProfile,
            anchors: authority.anchors,
            at: .now,
        )
        #expect(verified.attributes == nil)
        #expect(verified.signingTime == nil)
    }

    @Test func `taking the attributes off leaves no message`() throws {
        let authority = try TestAuthority.rsa.get()
        let signed = try CMSSigner(authority.signer).sign(Self.content)
        let attributes = try #require(try SignedMessage(reading: signed).signers[0].attributes)
        // RSA signatures are deterministic, so this is the first message without its attributes.
        var stripped = CMSSigner(authority.signer)
        stripped.hasAttributes = false
        let message = try SignedMessage(reading: try stripped.sign(attributes.signedBytes))
        #expect(
            message.signers[0].signature
                == (try SignedMessage(reading: signed)).signers[0].signature
        )
        #expect(throws: SignatureRefusal.ambiguousContent) {
            try message.verified(by: .provisioningProfile, anchors: authority.anchors, at: .now)
        }
    }

    @Test func `content types other than data need attributes that say so`() throws {
        let authority = try TestAuthority.p256.get()
        var signer = CMSSigner(authority.signer)
        signer.contentType = "1.2.3.4"
        let verified = try SignedMessage(reading: try signer.sign(Self.content)).verified(
            by: .provisioningProfile,
            anchors: authority.anchors,
            at: .now,
        )
        #expect(verified.content == Self.content)
        signer.hasAttributes = false
        let bare = try SignedMessage(reading: try signer.sign(Self.content))
        #expect(throws: SignatureRefusal.attributeMissing(.contentType)) {
            try bare.verified(by: .provisioningProfile, anchors: authority.anchors, at: .now)
        }
    }

    @Test func `a detached signature needs its content`() throws {
        let authority = try TestAuthority.p256.get()
        var signer = CMSSigner(authority.signer)
        signer.isDetached = true
        let message = try SignedMessage(reading: try signer.sign(Self.content))
        let verify = { (content: [UInt8]?) throws -> VerifiedMessage in
            try message.verified(
                by: .provisioningProfile,
                anchors: authority.anchors,
                at: .now,
                detachedContent: content,
            )
        }
        #expect(try verify(Self.content).content == Self.content)
        #expect(throws: SignatureRefusal.contentMissing) { try verify(nil) }
        #expect(throws: SignatureRefusal.digestMismatch) { try verify(Self.content + [0]) }
    }

    @Test func `two contents are not one`() throws {
        let authority = try TestAuthority.p256.get()
        let message = try SignedMessage(
            reading: try CMSSigner(authority.signer).sign(Self.content)
        )
        #expect(throws: SignatureRefusal.contentMismatch) {
            try message.verified(
                by: .provisioningProfile,
                anchors: authority.anchors,
                at: .now,
                detachedContent: [],
            )
        }
    }

    @Test func `a message without signer or certificate proves nothing`() throws {
        let empty = DERBytes.sequence(
            DERBytes.objectIdentifier(.signedData),
            DERBytes.context(
                0,
                DERBytes.sequence(
                    DERBytes.integer(1),
                    DERBytes.set(of: []),
                    DERBytes.sequence(DERBytes.objectIdentifier(.data)),
                    DERBytes.set(of: []),
                ),
            ),
        )
        #expect(throws: SignatureRefusal.noSigner) {
            try SignedMessage(reading: empty)
                .verified(by: .provisioningProfile, anchors: .apple, at: .now)
        }
    }
}
