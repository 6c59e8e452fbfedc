import Bundles
import Cryptography
import Foundation
import PropertyLists
import Sample
import TestSupport
import Testing

/// The second form inside a profile, read from a profile whose own signature is valid.
@Suite struct SecondProfileFormTests {
    private static let subject = ProfileBuilder.Subject(
        bundleIdentifier: "com.example.app",
        entitlements: [
            "aps-environment": .string("production"),
            "com.example.number": .integer(300),
            "com.example.nested": .dictionary(["list": .array([.string("a"), .boolean(true)])]),
        ],
    )

    private static func profile(_ second: [UInt8]?) throws -> ProvisioningProfile {
        var builder = GoodBuild.profile()
        builder.includesDERForm = true
        if let second { builder.overrides["DER-Encoded-Profile"] = .data(second) }
        if second != nil { builder.includesDERForm = false }
        let bytes = try builder.bytes(for: subject, by: SigningAuthority.cached())
        return try ProfileEnvelope(bytes: bytes, place: "x")
            .verified(against: GoodBuild.anchors(), at: GoodBuild.now)
    }

    /// The second form in a good profile: the message, and its content.
    private static let good = Result {
        var builder = GoodBuild.profile()
        builder.includesDERForm = true
        let bytes = try builder.bytes(for: subject, by: SigningAuthority.cached())
        let outer = try SignedMessage(reading: bytes).content ?? []
        let second = try PropertyList(reading: outer, limits: .profile)["DER-Encoded-Profile"]?.data
        let content = try SignedMessage(reading: second ?? []).content
        return (message: second ?? [], content: content ?? [])
    }

    private static func signed(_ content: [UInt8]) throws -> [UInt8] {
        let signer = try SigningAuthority.cached().secondProfileSigner
        return try CMSSigner(signer, digest: .sha256).sign(content, at: GoodBuild.signing)
    }

    @Test func `a second form that says the same agrees`() throws {
        #expect(try Self.profile(nil).secondForm == .read(differences: []))
        let again = try Self.signed(Self.good.get().content)
        #expect(try Self.profile(again).secondForm == .read(differences: []))
    }

    @Test func `claims alone do not judge the second form`() throws {
        let bytes = try GoodBuild.profile().bytes(
            for: Self.subject,
            by: SigningAuthority.cached(),
        )
        let envelope = ProfileEnvelope(bytes: bytes, place: "x")
        #expect(try envelope.claims().secondForm == .notJudged)
        let verified = try envelope.verified(against: GoodBuild.anchors(), at: GoodBuild.now)
        #expect(verified.secondForm == .absent)
    }

    @Test func `content that was changed after signing is refused`() throws {
        var (message, content) = try Self.good.get()
        let start = try #require(message.firstRange(of: content)).lowerBound
        message[start + content.count / 2] ^= 1
        #expect(try Self.profile(message).secondForm == .refused(.digestMismatch))
    }

    @Test func `a signer of another kind is named`() throws {
        let authority = try SigningAuthority.cached()
        let message = try CMSSigner(authority.profileSigner, digest: .sha256)
            .sign(Self.good.get().content, at: GoodBuild.signing)
        let form = try Self.profile(message).secondForm
        guard case .readFromOther(let signer, differences: []) = form else {
            Issue.record("\(form)")
            return
        }
        #expect(signer.contains("Provisioning Profile Signing"))
    }

    @Test func `every part of a signed second form that ends too early is malformed`() throws {
        let content = try Self.good.get().content
        for length in stride(from: 0, to: content.count, by: 23) {
            let form = try Self.profile(Self.signed(Array(content[..<length]))).secondForm
            guard case .malformed = form else {
                Issue.record("\(length) bytes: \(form)")
                continue
            }
        }
    }

    @Test func `damage to a signed second form is never taken for agreement`() throws {
        let content = try Self.good.get().content
        for (index, damaged) in SeededDamage.flips(of: content, count: 120, seed: 41).enumerated()
        where damaged != content {
            switch try Self.profile(Self.signed(damaged)).secondForm {
            case .malformed: continue
            case .read(let differences):
                // Keys that only repeat what the property list says are ignored if their names are unknown.
                let isKeyDamaged = differences.isEmpty
                #expect(
                    !isKeyDamaged || Self.isOfName(damaged, content),
                    "flip \(index) of seed 41",
                )
            case let other: Issue.record("flip \(index) of seed 41: \(other)")
            }
        }
    }

    /// Whether the two differ only in a key's name: such a key is in only one of the forms.
    private static func isOfName(_ damaged: [UInt8], _ content: [UInt8]) -> Bool {
        let places = zip(damaged, content).enumerated().filter { $1.0 != $1.1 }.map(\.offset)
        let keys =
            ["AppIDName", "ApplicationIdentifierPrefix", "CreationDate", "IsXcodeManaged"]
            + ["Name", "Platform", "TeamIdentifier", "TeamName", "TimeToLive", "UUID", "Version"]
        let ranges = keys.flatMap { content.ranges(of: Array($0.utf8)) }
        return places.allSatisfy { place in ranges.contains { $0.contains(place) } }
    }
}
