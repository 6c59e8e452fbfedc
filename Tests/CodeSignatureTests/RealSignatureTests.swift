import Bundles
import CodeSignature
import Cryptography
import Foundation
import Sample
import TestSupport
import Testing

/// Real signed apps, compared with the known facts about them.
@Suite(.enabled(if: Fixtures.arePresent, "no real fixtures here"))
struct RealSignatureTests {
    static let signed = Fixtures.items(ofKind: "ipa").filter { $0.facts.contains("cms=") }

    @Test(arguments: signed)
    func `every real signature holds or fails exactly as it is known to`(
        item: Fixtures.Item
    ) throws {
        let signatures = try Surveying.signatures(of: try item.bytes(), trusting: .apple)
        let bundles = item.facts.components(separatedBy: " || ")
        #expect(signatures.everyBundle.filter { $0.kind.hasOwnProfile }.count == bundles.count)
        for (bundle, facts) in zip(signatures.everyBundle.filter(\.kind.hasOwnProfile), bundles) {
            let slices = try #require(bundle.executable?.slices)
            #expect(slices.count == facts.components(separatedBy: "cms=").count - 1)
            #expect(facts.contains("seal-ok") == (bundle.seal?.isIntact == true), "\(bundle.path)")
            for slice in slices {
                let evidence = try #require(slice.signature.evidence)
                #expect(facts.contains(" DER]") == (evidence.entitlements?.hasDER == true))
                #expect(evidence.entitlements?.differences == [])
                if Self.isSignedByItsProject(item) {
                    #expect(evidence.complaints == Self.selfSigned)
                    continue
                }
                #expect(evidence.isIntact, "\(evidence.complaints)")
                #expect(evidence.complaints.filter { $0 != "no DER entitlements" } == [])
                #expect(evidence.signer.proof?.anchor == .apple)
                let signing = try #require(evidence.signer.proof?.signingTime)
                #expect(evidence.signer.proof?.refusal(at: signing) == nil)
                #expect(evidence.requirements?.contains("anchor apple generic") == true)
            }
        }
        #expect(signatures.isIntact == !Self.isSignedByItsProject(item))
    }

    /// fastlane re-signs its fixtures with its own certificate: the message is valid, but not trusted.
    private static func isSignedByItsProject(_ item: Fixtures.Item) -> Bool {
        item.facts.contains("id=org.fastlane.very-capable-app")
    }

    private static let selfSigned = [
        "refused \(SignatureRefusal.untrustedRoot("TestFixture"))", "no DER entitlements",
    ]

    @Test(arguments: Fixtures.items(ofKind: "macho-hostile"))
    func `hostile programs are evidence against an app and nothing worse`(
        item: Fixtures.Item
    ) throws {
        let bytes = try item.bytes()
        let ipa = try Surveying.plain().afterSigning { tree in
            try tree.replace("Demo", with: bytes)
            tree.add(.file("tool", bytes))
        }
        let signatures = try Surveying.signatures(of: ipa.bytes())
        #expect(signatures.executable?.isIntact == false)
        #expect(!signatures.isIntact)
    }

    @Test func `there are real signatures to hold`() {
        #expect(Self.signed.count >= 7)
    }
}
