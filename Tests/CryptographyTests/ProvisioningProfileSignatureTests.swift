import Cryptography
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Fixtures.arePresent, "real fixtures are absent"))
struct ProvisioningProfileSignatureTests {
    static let messages = Fixtures.items(ofKind: "profile").filter { $0.facts.contains("; CMS;") }
    static let selfMade = messages.filter { $0.path.contains("very") }
    static let altered = messages.filter { !$0.facts.contains("cms=ok") }
    static let genuine = messages.filter { item in
        !(selfMade + altered).contains { $0.path == item.path }
    }
    static let ios = genuine.filter { !$0.isMac }
    static let mac = genuine.filter(\.isMac)

    @Test func `there are profiles of every sort`() {
        #expect(Self.ios.count == 12)
        #expect(Self.mac.count == 3)
        #expect(Self.selfMade.count == 2)
        #expect(Self.altered.count == 1)
    }

    @Test(arguments: genuine)
    func `Apple's profiles verify under the pinned roots`(item: Fixtures.Item) throws {
        let message = try SignedMessage(reading: try item.bytes())
        let policy: SignerPolicy = item.isMac ? .macProvisioningProfile : .provisioningProfile
        let verified = try message.verified(by: policy, anchors: .apple, at: .now)
        #expect(verified.anchor == .apple)
        #expect(verified.anchor == .apple)
        #expect(verified.chain.count == 3)
        #expect(verified.chain.last == TrustAnchors.apple.certificates.first)
        #expect(
            verified.signingTime.map { $0 > Date(timeIntervalSince1970: 1_300_000_000) } == true
        )
        #expect(verified.content.starts(with: Array("<?xml".utf8)))
    }

    @Test(arguments: mac)
    func `an iOS device does not take a profile for macOS`(item: Fixtures.Item) throws {
        let message = try SignedMessage(reading: try item.bytes())
        #expect(
            throws: SignatureRefusal.unexpectedSigner("Mac OS X Provisioning Profile Signing")
        ) {
            try message.verified(by: .provisioningProfile, anchors: .apple, at: .now)
        }
    }

    @Test(arguments: selfMade)
    func `a profile that signed itself is not Apple's`(item: Fixtures.Item) throws {
        let message = try SignedMessage(reading: try item.bytes())
        #expect(throws: SignatureRefusal.untrustedRoot("TestFixture")) {
            try message.verified(by: .provisioningProfile, anchors: .apple, at: .now)
        }
        let anchors = TrustAnchors.apple.adding(message.certificates)
        #expect(throws: SignatureRefusal.chainTooShort(1, expected: 3)) {
            try message.verified(by: .provisioningProfile, anchors: anchors, at: .now)
        }
    }

    @Test(arguments: altered)
    func `a profile whose content was edited is refused`(item: Fixtures.Item) throws {
        let message = try SignedMessage(reading: try item.bytes())
        #expect(throws: SignatureRefusal.digestMismatch) {
            try message.verified(by: .provisioningProfile, anchors: .apple, at: .now)
        }
    }

    @Test(arguments: ios.prefix(2))
    func `dates would refuse what devices accept`(item: Fixtures.Item) throws {
        let message = try SignedMessage(reading: try item.bytes())
        var policy = SignerPolicy.provisioningProfile
        policy.checksDates = true
        let later = Date(timeIntervalSince1970: 2_000_000_000)
        #expect(throws: SignatureRefusal.self) {
            try message.verified(by: policy, anchors: .apple, at: later)
        }
    }

    @Test(
        arguments: Fixtures.items(ofKind: "profile").filter { $0.facts.contains("NO CMS") }
    )
    func `a bare property list is not a signed message`(item: Fixtures.Item) throws {
        let bytes = try item.bytes()
        do throws(MalformedMessage) {
            _ = try SignedMessage(reading: bytes)
            Issue.record("was read")
        } catch {
            // Some are remains of a message whose content was edited by hand.
            #expect(error == .notSignedData || bytes.first == 0x30)
        }
    }

    @Test(arguments: ios.prefix(1))
    func `a damaged profile of Apple's never passes for another`(item: Fixtures.Item) throws {
        let bytes = try item.bytes()
        let original = try SignedMessage(reading: bytes)
        for damaged in SeededDamage.flips(
            of: bytes,
            count: TestDepth.samples(500, long: 2000),
            seed: 21,
        ) {
            guard let message = try? SignedMessage(reading: damaged),
                let verified = try? message.verified(
                    by: .provisioningProfile,
                    anchors: .apple,
                    at: .now,
                )
            else { continue }
            #expect(verified.content == original.content)
        }
    }
}

extension Fixtures.Item {
    fileprivate var isMac: Bool { path.hasSuffix(".provisionprofile") }
}
