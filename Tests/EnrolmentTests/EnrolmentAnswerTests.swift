import Bundles
import Bytes
import Cryptography
import Enrolment
import Foundation
import Identifiers
import PropertyLists
import Sample
import TestSupport
import Testing

struct EnrolmentAnswerTests {
    @Test(arguments: SampleDevice.Form.allCases)
    func `a device is believed in every form that devices send`(form: SampleDevice.Form) throws {
        let enrolling = try Enrolling()
        let answer = try enrolling.device.answer(challenge: enrolling.challenge, form: form)
        let device = try enrolling.verified(answer)
        #expect(device.udid.rawValue == enrolling.device.udid)
        #expect(device.product.rawValue == "iPhone15,2")
        #expect(device.model.name == "iPhone 14 Pro")
        #expect(device.os == OSVersion("17.4"))
        #expect(device.version == "21E236")
        #expect(device.invitation == enrolling.invitation.identifier)
        #expect(device.vouchedBy == .privateAuthority("Apple iPhone Device CA"))
    }

    @Test func `newer devices sign with longer keys and SHA-256`() throws {
        let enrolling = try Enrolling()
        let identities = try [
            enrolling.authority.certify("device", keys: .rsa2048, digest: .sha256),
            enrolling.authority.certify("device", keys: .p256, digest: .sha256),
        ]
        for identity in identities {
            var signer = CMSSigner(identity)
            signer.hasAttributes = false
            let content = enrolling.device.content(challenge: enrolling.challenge)
            _ = try enrolling.verified(try signer.sign(content))
        }
    }

    @Test func `a property list in binary form is read as well`() throws {
        let enrolling = try Enrolling()
        let content = try PropertyList(
            reading: enrolling.device.content(challenge: enrolling.challenge)
        )
        _ = try enrolling.verified(try enrolling.device.sign(content.binary()))
    }

    @Test func `claims are read without proof, and are another type`() throws {
        let enrolling = try Enrolling()
        let stranger = try SampleDevice(
            certifiedBy: DeviceAuthority(),
            udid: SampleDevices.unlisted,
        )
        let answer = try stranger.answer(challenge: "whatever")
        let claims = try EnrolmentAnswer(reading: answer).claims()
        #expect(claims.udid.rawValue == SampleDevices.unlisted)
        #expect(claims.challenge == "whatever")
        #expect(enrolling.refusal(of: answer)?.id == "enrolment.not-a-device")
    }

    @Test func `without an added authority no sample device is believed`() throws {
        let enrolling = try Enrolling()
        let answer = try enrolling.device.answer(challenge: enrolling.challenge)
        #expect(
            enrolling.refusal(of: answer, anchors: .appleDevices)
                == .forged(.untrustedRoot("Apple iPhone Device CA"))
        )
    }

    @Test func `Apple's roots vouch for no device`() throws {
        let enrolling = try Enrolling()
        let answer = try enrolling.device.answer(challenge: enrolling.challenge)
        #expect(
            enrolling.refusal(of: answer, anchors: .apple)
                == .forged(.untrustedRoot("Apple iPhone Device CA"))
        )
    }

    @Test func `an authority of the same name and another key is refused`() throws {
        let enrolling = try Enrolling()
        let device = try SampleDevice(certifiedBy: DeviceAuthority())
        for form in SampleDevice.Form.allCases {
            let answer = try device.answer(challenge: enrolling.challenge, form: form)
            #expect(
                enrolling.refusal(of: answer) == .forged(.untrustedRoot("Apple iPhone Device CA"))
            )
        }
    }

    @Test func `an added authority of another name is refused`() throws {
        let enrolling = try Enrolling()
        let other = try DeviceAuthority(name: "Apple iPh0ne Device CA")
        let answer = try SampleDevice(certifiedBy: other).answer(challenge: enrolling.challenge)
        #expect(
            enrolling.refusal(of: answer, anchors: .appleDevices.adding([other.anchor]))
                == .forged(.unexpectedIssuer("Apple iPh0ne Device CA"))
        )
    }

    @Test func `a device certifies no other device`() throws {
        let enrolling = try Enrolling()
        let key = try PrivateKey.generate(.p256)
        let template = CertificateTemplate(
            subject: DistinguishedName(commonName: "second"),
            serial: [9],
            notBefore: Enrolling.now - 86_400,
            notAfter: Enrolling.now + 86_400,
        )
        let first = enrolling.device.identity
        let second = SigningIdentity(
            certificate: try template.issued(for: key, by: first),
            key: key,
            chain: [first.certificate] + first.chain,
        )
        var signer = CMSSigner(second)
        signer.hasAttributes = false
        let content = enrolling.device.content(challenge: enrolling.challenge)
        let refusal = try enrolling.refusal(of: signer.sign(content))
        #expect(refusal?.id == "enrolment.not-a-device")
    }

    @Test func `the authority itself is no device`() throws {
        let enrolling = try Enrolling()
        var signer = CMSSigner(enrolling.authority.identity, digest: .sha1)
        signer.hasAttributes = false
        let content = enrolling.device.content(challenge: enrolling.challenge)
        let refusal = try enrolling.refusal(of: signer.sign(content))
        #expect(refusal?.id == "enrolment.not-a-device")
    }

    @Test func `content that was exchanged under a signature is refused`() throws {
        let enrolling = try Enrolling()
        for form in [SampleDevice.Form.plain, .attributes] {
            let answer = try enrolling.device.answer(challenge: enrolling.challenge, form: form)
            let udid = Array(enrolling.device.udid.utf8)
            let range = try #require(answer.firstRange(of: udid))
            var forged = answer
            forged.replaceSubrange(range, with: Array(SampleDevices.list(3)[2].utf8))
            #expect(forged.count == answer.count)
            let expected: SignatureRefusal =
                form == .attributes ? .digestMismatch : .signatureInvalid
            #expect(enrolling.refusal(of: forged) == .forged(expected))
        }
    }

    @Test func `a certificate of a real device without its key is refused`() throws {
        let enrolling = try Enrolling()
        let thief = try enrolling.authority.certify("thief")
        let stolen = SigningIdentity(
            certificate: enrolling.device.identity.certificate,
            key: thief.key,
        )
        var signer = CMSSigner(stolen, digest: .sha1)
        signer.hasAttributes = false
        let content = enrolling.device.content(challenge: enrolling.challenge)
        #expect(try enrolling.refusal(of: signer.sign(content)) == .forged(.signatureInvalid))
    }

    @Test func `a detached signature has no content to believe`() throws {
        let enrolling = try Enrolling()
        var signer = CMSSigner(enrolling.device.identity)
        signer.isDetached = true
        let message = try signer.sign(enrolling.device.content(challenge: enrolling.challenge))
        #expect(enrolling.refusal(of: message) == .forged(.contentMissing))
        #expect(throws: EnrolmentRefusal.forged(.contentMissing)) {
            try EnrolmentAnswer(reading: message).claims()
        }
    }

    @Test func `size is judged before anything else`() throws {
        let enrolling = try Enrolling()
        let large = [UInt8](repeating: 0x30, count: EnrolmentAnswer.limit + 1)
        #expect(enrolling.refusal(of: large) == .tooLarge(limit: 65_536))
        let huge = [UInt8](repeating: 0x30, count: 10 << 20)
        #expect(enrolling.refusal(of: huge) == .tooLarge(limit: 65_536))
    }

    @Test(
        arguments: [
            [], [0x30], [0x30, 0x80], [0x30, 0x88, 0x80, 0, 0, 0, 0, 0, 0, 0],
            [0x30, 0x84, 0xff, 0xff, 0xff, 0xff], Array("<?xml version=\"1.0\"?><plist/>".utf8),
            Array("bplist00".utf8), Array("{\"UDID\": 1}".utf8),
            [UInt8](repeating: 0x30, count: 65_536),
            [UInt8](((0..<32_768).flatMap { _ in [0x30, 0x80] as [UInt8] })),
            [UInt8](((0..<32_768).flatMap { _ in [0x05, 0x00] as [UInt8] })),
        ] as [[UInt8]]
    )
    func `what is no signed message is refused as such`(bytes: [UInt8]) throws {
        let refusal = try Enrolling().refusal(of: bytes)
        #expect(refusal?.id == "enrolment.not-signed")
    }
}
