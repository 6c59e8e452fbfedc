import Cryptography
import Enrolment
import Foundation
import PropertyLists
import Testing

struct EnrolmentProfileTests {
    private func profile(_ enrolling: Enrolling) -> EnrolmentProfile {
        EnrolmentProfile(
            for: enrolling.invitation.identifier,
            url: "https://ota.example.com/enrol/\(enrolling.invitation.identifier)",
            challenge: enrolling.challenge,
            organization: "Example & Co",
        )
    }

    @Test func `it asks for three attributes and nothing else`() throws {
        let enrolling = try Enrolling()
        let list = try PropertyList(reading: profile(enrolling).unsigned())
        #expect(list == profile(enrolling).propertyList)
        #expect(list["PayloadType"]?.string == "Profile Service")
        #expect(list["PayloadVersion"]?.integer == 1)
        #expect(list["PayloadOrganization"]?.string == "Example & Co")
        let content = try #require(list["PayloadContent"])
        #expect(content["DeviceAttributes"]?.strings == ["UDID", "PRODUCT", "VERSION"])
        #expect(content["Challenge"]?.string == enrolling.challenge)
        #expect(content["URL"]?.string?.hasPrefix("https://ota.example.com/enrol/") == true)
        #expect(content.dictionary?.count == 3)
    }

    @Test func `a second download replaces the first`() throws {
        let enrolling = try Enrolling()
        let list = profile(enrolling).propertyList
        let again = EnrolmentProfile(
            for: enrolling.invitation.identifier,
            url: "https://ota.example.com/x",
            challenge: "other",
            organization: "Example",
        ).propertyList
        for key in ["PayloadUUID", "PayloadIdentifier"] {
            #expect(list[key] != nil)
            #expect(list[key] == again[key])
        }
        let uuid = try #require(UUID(uuidString: list["PayloadUUID"]?.string ?? ""))
        #expect(uuid.uuid.6 >> 4 == 8)
        #expect(uuid.uuid.8 >> 6 == 2)
    }

    @Test(arguments: [PrivateKey.Recipe.p256, .rsa2048])
    func `the server's certificate signs it, with its chain`(keys: PrivateKey.Recipe) throws {
        let enrolling = try Enrolling()
        let validity = Enrolling.now - 86_400...Enrolling.now + 86_400
        let rootKey = try PrivateKey.generate(keys)
        let root = SigningIdentity(
            certificate: try CertificateTemplate.authority(
                DistinguishedName(commonName: "Root"),
                serial: [1],
                validity: validity,
            ).issued(for: rootKey),
            key: rootKey,
        )
        let key = try PrivateKey.generate(keys)
        let server = SigningIdentity(
            certificate: try CertificateTemplate.server(
                [.dns("ota.example.com")],
                serial: [2],
                validity: validity,
            ).issued(for: key, by: root),
            key: key,
            chain: [root.certificate],
        )
        let bytes = try profile(enrolling).signed(by: server, at: Enrolling.now)
        let message = try SignedMessage(reading: bytes)
        #expect(Set(message.certificates) == [server.certificate, root.certificate])
        let verified = try message.verified(
            by: SignerPolicy(signerName: "ota.example.com"),
            anchors: .apple.adding([root.certificate]),
            at: Enrolling.now,
        )
        #expect(verified.content == profile(enrolling).unsigned())
        #expect(verified.signingTime == Enrolling.now)
    }
}
