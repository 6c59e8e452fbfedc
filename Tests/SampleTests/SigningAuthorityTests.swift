import Cryptography
import Foundation
import Sample
import Testing

@Suite struct SigningAuthorityTests {
    @Test func `every certificate is signed by the one above it, up to the root`() throws {
        let authority = try SigningAuthority.cached()
        for identity in [
            authority.profileSigner, authority.secondProfileSigner, authority.distribution,
            authority.development,
        ] {
            let chain = [identity.certificate] + identity.chain
            #expect(chain.count == 3)
            #expect(chain.last == authority.anchor)
            for (below, above) in zip(chain, chain.dropFirst()) {
                #expect(below.isSigned(by: above))
                #expect(below.issuer == above.subject)
            }
            #expect(identity.key.matches(identity.certificate))
            #expect(!identity.certificate.isAuthority)
        }
    }

    @Test func `marks and names are Apple's, the root's and the organization are not`() throws {
        let authority = try SigningAuthority.cached()
        #expect(authority.anchor.subject.commonName == "ota Sample Root CA")
        #expect(!TrustAnchors.apple.isApple(authority.anchor))
        let worldwide = authority.worldwideAuthority.certificate
        #expect(worldwide.hasExtension(AppleExtension.worldwideDeveloperRelations))
        #expect(
            worldwide.subject.commonName
                == "Apple Worldwide Developer Relations Certification Authority"
        )
        for (identity, mark, label) in [
            (authority.distribution, AppleExtension.distribution, "Apple Distribution"),
            (authority.development, AppleExtension.development, "Apple Development"),
        ] {
            let leaf = identity.certificate
            #expect(leaf.criticalExtensionOIDs.contains(mark))
            #expect(leaf.extendedKeyUsages == [.codeSigning])
            #expect(leaf.subject.userIdentifier == "OTASAMPLE1")
            #expect(leaf.subject.organizationalUnit == "OTASAMPLE1")
            #expect(leaf.subject.commonName == "\(label): ota Sample Team (OTASAMPLE1)")
        }
    }

    @Test func `an authority survives being saved, and the anchor holds no key`() throws {
        let authority = try SigningAuthority.cached()
        let loaded = try SigningAuthority(pem: authority.privatePEM)
        #expect(loaded.anchor == authority.anchor)
        #expect(loaded.team == authority.team)
        #expect(loaded.distribution.chain == authority.distribution.chain)
        #expect(loaded.secondProfileSigner.chain == authority.secondProfileSigner.chain)
        #expect(!authority.anchorPEM.contains("PRIVATE"))
        #expect(throws: SampleFailure.self) { try SigningAuthority(pem: authority.anchorPEM) }
    }

    @Test func `each flawed identity has its one flaw`() throws {
        let authority = try SigningAuthority.cached()
        let worldwide = authority.worldwideAuthority.certificate
        let expired = try authority.expired(at: Moment.signing)
        #expect(expired.certificate.notAfter < Moment.signing)
        #expect(expired.certificate.isSigned(by: worldwide))
        let other = try authority.otherTeam(at: Moment.signing)
        #expect(other.certificate.subject.organizationalUnit == "OTHERTEAM9")
        #expect(other.certificate.notBefore...other.certificate.notAfter ~= Moment.signing)
        let impostor = try authority.impostorProfileSigner(at: Moment.signing)
        #expect(impostor.certificate.subject == authority.profileSigner.certificate.subject)
        #expect(impostor.certificate.issuer != authority.profileSigner.certificate.issuer)
    }
}
