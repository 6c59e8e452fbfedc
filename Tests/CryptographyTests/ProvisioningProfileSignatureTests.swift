import Cryptography
import Foundation
import TestSupport
import Testing

struct ProvisioningProfileSignatureTests {
    static let signed = Fixtures.items(ofKind: "profile").filter {
        $0.facts.contains("; CMS;") && $0.facts.contains("cms=ok")
    }

    @Test(.enabled(if: Fixtures.arePresent, "real fixtures are absent"), arguments: signed)
    func `Apple's profiles verify under the pinned roots`(item: Fixtures.Item) throws {
        let message = try SignedMessage(reading: try item.bytes())
        let isMac = item.facts.contains("platform=OSX") || item.path.contains("mac")
        let policy: SignerPolicy = isMac ? .macProvisioningProfile : .provisioningProfile
        let verified = try message.verified(by: policy, anchors: .apple, at: .now)
        #expect(verified.anchor == .apple)
        #expect(verified.chain.count == 3)
        #expect(verified.signingTime != nil)
        #expect(verified.content.starts(with: Array("<?xml".utf8)))
    }
}
