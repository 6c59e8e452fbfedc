import Cryptography
import Foundation
import Testing

struct SignerPolicyTests {
    static let content = Array("profile".utf8)

    private func refusal(
        of identity: SigningIdentity,
        under anchors: TrustAnchors,
        by policy: SignerPolicy = .provisioningProfile,
        at date: Date = TestAuthority.now,
    ) throws -> SignatureRefusal? {
        let message = try SignedMessage(reading: try CMSSigner(identity).sign(Self.content))
        do throws(SignatureRefusal) {
            _ = try message.verified(by: policy, anchors: anchors, at: date)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a root that only calls itself Apple's is refused by name`() throws {
        let lookalike = try TestAuthority(.p256, rootName: "Apple Root CA")
        #expect(
            try refusal(of: lookalike.signer, under: .apple) == .untrustedRoot("Apple Root CA")
        )
        let other = try TestAuthority.p256.get()
        #expect(
            try refusal(of: lookalike.signer, under: other.anchors)
                == .untrustedRoot("Apple Root CA")
        )
    }

    @Test func `the signer's and the issuer's names are pinned for every root`() throws {
        let signer = try TestAuthority(.p256, signerName: "Somebody")
        #expect(
            try refusal(of: signer.signer, under: signer.anchors) == .unexpectedSigner("Somebody")
        )
        let issuer = try TestAuthority(.p256, issuerName: "Apple iPh0ne Certification Authority")
        #expect(
            try refusal(of: issuer.signer, under: issuer.anchors)
                == .unexpectedIssuer("Apple iPh0ne Certification Authority")
        )
    }

    @Test func `a chain of two or four is refused`() throws {
        let authority = try TestAuthority.p256.get()
        let name = "Apple iPhone OS Provisioning Profile Signing"
        let short = try authority.root.issuing(name, serial: 7)
        #expect(
            try refusal(of: short, under: authority.anchors) == .chainTooShort(2, expected: 3)
        )
        let below = try authority.root.issuing("Upper", serial: 8) { $0.becomeAuthority() }
        let lower = try below.issuing("Apple iPhone Certification Authority", serial: 9) {
            $0.becomeAuthority()
        }
        let long = try lower.issuing(name, serial: 10)
        #expect(try refusal(of: long, under: authority.anchors) == .chainTooLong(4, expected: 3))
    }

    @Test func `an intermediate that is no authority certifies nobody`() throws {
        let authority = try TestAuthority.p256.get()
        let leaf = try authority.root.issuing("Apple iPhone Certification Authority", serial: 7)
        let signer = try leaf.issuing("Apple iPhone OS Provisioning Profile Signing", serial: 8)
        #expect(
            try refusal(of: signer, under: authority.anchors)
                == .notAnAuthority("Apple iPhone Certification Authority")
        )
    }

    @Test func `a path length is kept`() throws {
        let authority = try TestAuthority.p256.get()
        let lower = try authority.intermediate.issuing("Lower", serial: 7) { $0.becomeAuthority() }
        let signer = try lower.issuing("S", serial: 8)
        #expect(
            try refusal(of: signer, under: authority.anchors, by: SignerPolicy())
                == .notAnAuthority("Apple iPhone Certification Authority")
        )
    }

    @Test func `dates are judged only where the policy asks`() throws {
        let past =
            TestAuthority.validity
            .lowerBound...TestAuthority.validity.lowerBound
            .addingTimeInterval(3600)
        let authority = try TestAuthority(.p256, signerValidity: past)
        #expect(try refusal(of: authority.signer, under: authority.anchors) == nil)
        var policy = SignerPolicy.provisioningProfile
        policy.checksDates = true
        let name = "Apple iPhone OS Provisioning Profile Signing"
        #expect(
            try refusal(of: authority.signer, under: authority.anchors, by: policy)
                == .expired(name, on: past.upperBound)
        )
        let before = past.lowerBound.addingTimeInterval(-1)
        #expect(
            try refusal(of: authority.signer, under: authority.anchors, by: policy, at: before)
                == .notYetValid(name, from: past.lowerBound)
        )
        #expect(
            try refusal(
                of: authority.signer,
                under: authority.anchors,
                by: policy,
                at: past.upperBound,
            ) == nil
        )
    }

    @Test func `markers, purposes and critical extensions are data of the policy`() throws {
        let authority = try TestAuthority.p256.get()
        let marker: OID = "1.2.840.113635.100.6.1.4"
        let marked = try authority.intermediate.issuing("Developer", serial: 7) {
            $0.customExtensions = [
                CertificateExtension(marker, isCritical: true, value: [5, 0])
            ]
            $0.extendedKeyUsages = [.codeSigning]
        }
        var policy = SignerPolicy(chainLength: 3)
        #expect(
            try refusal(of: marked, under: authority.anchors, by: policy)
                == .unknownCriticalExtension(marker, of: "Developer")
        )
        policy.knownCriticalExtensions = [marker]
        policy.signerMarkers = ["1.2.840.113635.100.6.1.2", marker]
        policy.purposes = [.codeSigning]
        #expect(try refusal(of: marked, under: authority.anchors, by: policy) == nil)
        let plain = try authority.intermediate.issuing("Developer", serial: 8)
        #expect(
            try refusal(of: plain, under: authority.anchors, by: policy)
                == .missingExtension(policy.signerMarkers, of: "Developer")
        )
        policy.signerMarkers = []
        #expect(
            try refusal(of: plain, under: authority.anchors, by: policy)
                == .missingPurpose(.codeSigning, of: "Developer")
        )
        policy.issuerMarkers = ["1.2.840.113635.100.6.2.1"]
        #expect(
            try refusal(of: marked, under: authority.anchors, by: policy)
                == .missingExtension(
                    policy.issuerMarkers,
                    of: "Apple iPhone Certification Authority",
                )
        )
    }

    @Test func `the same names under another key do not stand in for the issuer`() throws {
        let authority = try TestAuthority.p256.get()
        let twin = try TestAuthority(.p256)
        let mixed = SigningIdentity(
            certificate: authority.signer.certificate,
            key: authority.signer.key,
            chain: [twin.intermediate.certificate, authority.intermediate.certificate],
        )
        #expect(try refusal(of: mixed, under: authority.anchors) == nil)
        let orphan = SigningIdentity(
            certificate: authority.signer.certificate,
            key: authority.signer.key,
            chain: [twin.intermediate.certificate, authority.root.certificate],
        )
        #expect(
            try refusal(of: orphan, under: authority.anchors)
                == .untrustedRoot("Apple iPhone Certification Authority")
        )
    }

    @Test func `another key's signature under a genuine certificate is refused`() throws {
        let authority = try TestAuthority.p256.get()
        let thief = SigningIdentity(
            certificate: authority.signer.certificate,
            key: try .generate(.p256),
            chain: authority.signer.chain,
        )
        #expect(try refusal(of: thief, under: authority.anchors) == .signatureInvalid)
        let mismatched = SigningIdentity(
            certificate: authority.signer.certificate,
            key: try .generate(.rsa2048),
            chain: authority.signer.chain,
        )
        #expect(
            try refusal(of: mismatched, under: authority.anchors)
                == .unsupportedAlgorithm("1.2.840.113549.1.1.1")
        )
    }
}

extension CertificateTemplate {
    fileprivate mutating func becomeAuthority() {
        isAuthority = true
        keyUsage = .certificateSigning
    }
}
