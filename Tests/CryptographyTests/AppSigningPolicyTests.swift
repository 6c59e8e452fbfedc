import Cryptography
import Foundation
import Testing

/// Which certificates may sign an app (Apple's `SecPolicyCreateiPhoneProfileApplicationSigning`).
struct AppSigningPolicyTests {
    private static let worldwide: OID = "1.2.840.113635.100.6.2.1"
    private static let distribution: OID = "1.2.840.113635.100.6.1.4"

    private struct Developer {
        let root: SigningIdentity
        let issuer: SigningIdentity

        init(marks: [OID] = [AppSigningPolicyTests.worldwide]) throws {
            root = try TestAuthority.p256.get().root
            issuer = try root.issuing("Worldwide", serial: 20) { template in
                template.isAuthority = true
                template.keyUsage = .certificateSigning
                template.customExtensions = marks.map {
                    CertificateExtension($0, isCritical: false, value: [5, 0])
                }
            }
        }

        func identity(
            marks: [OID] = [AppSigningPolicyTests.distribution],
            purposes: [OID] = [.codeSigning],
            validity: ClosedRange<Date> = TestAuthority.validity,
        ) throws -> SigningIdentity {
            try issuer.issuing("Developer", serial: 21, .p256, validity) { template in
                template.extendedKeyUsages = purposes
                template.customExtensions = marks.map {
                    CertificateExtension($0, isCritical: true, value: [5, 0])
                }
            }
        }
    }

    private func refusal(
        of identity: SigningIdentity,
        by policy: SignerPolicy = .appSigning,
        at date: Date = TestAuthority.now,
    ) throws -> SignatureRefusal? {
        let message = try SignedMessage(reading: try CMSSigner(identity).sign([1, 2, 3]))
        do throws(SignatureRefusal) {
            let anchors = TrustAnchors.apple.adding([try root()])
            _ = try message.verified(by: policy, anchors: anchors, at: date)
            return nil
        } catch {
            return error
        }
    }

    private func root() throws(SignatureRefusal) -> Certificate {
        guard let authority = try? TestAuthority.p256.get() else { throw .noSigner }
        return authority.root.certificate
    }

    @Test(arguments: [
        "1.2.840.113635.100.6.1.2", "1.2.840.113635.100.6.1.4", "1.2.840.113635.100.6.1.25.1",
    ])
    func `a leaf with any of Apple's critical marks for iOS may sign`(mark: String) throws {
        let oid = try #require(OID(mark))
        #expect(try refusal(of: Developer().identity(marks: [oid])) == nil)
    }

    @Test(arguments: ["1.2.840.113635.100.6.1.7", "1.2.840.113635.100.6.1.12"])
    func `a mark of the Mac is known, and alone makes no signer`(mark: String) throws {
        let oid = try #require(OID(mark))
        #expect(try refusal(of: Developer().identity(marks: [Self.distribution, oid])) == nil)
        guard case .missingExtension = try refusal(of: Developer().identity(marks: [oid])) else {
            Issue.record("a leaf for the Mac alone was accepted")
            return
        }
    }

    @Test func `a leaf without a mark, or with one that nobody knows, may not`() throws {
        guard case .missingExtension = try refusal(of: Developer().identity(marks: [])) else {
            Issue.record("a leaf without a mark was accepted")
            return
        }
        let unknown: OID = "1.2.840.113635.100.6.1.99"
        #expect(
            try refusal(of: Developer().identity(marks: [Self.distribution, unknown]))
                == .unknownCriticalExtension(unknown, of: "Developer")
        )
    }

    @Test func `the leaf must be for code, and its issuer for developers`() throws {
        #expect(
            try refusal(of: Developer().identity(purposes: [.serverAuthentication]))
                == .missingPurpose(.codeSigning, of: "Developer")
        )
        #expect(
            try refusal(of: Developer(marks: []).identity())
                == .missingExtension([Self.worldwide], of: "Worldwide")
        )
    }

    @Test func `a chain of two is too short`() throws {
        let root = try TestAuthority.p256.get().root
        let leaf = try root.issuing("Developer", serial: 30) {
            $0.extendedKeyUsages = [.codeSigning]
        }
        #expect(try refusal(of: leaf) == .chainTooShort(2, expected: 3))
    }

    @Test func `dates count, unless the policy is told that they do not`() throws {
        let start = TestAuthority.validity.lowerBound
        let past = start...start.addingTimeInterval(60)
        let lapsed = try Developer().identity(validity: past)
        #expect(try refusal(of: lapsed) == .expired("Developer", on: past.upperBound))
        #expect(try refusal(of: lapsed, at: start) == nil)
        #expect(try refusal(of: lapsed, by: .appSigning.ignoringDates) == nil)
    }
}
