import Cryptography
import Foundation

/// The label that Settings shows below a profile's name.
enum ProfileSignature: String {
    case verified = "Verified"
    case unverified = "Unverified"
    case notSigned = "Not Signed"
}

/// A downloaded profile, extracted from its signed message.
struct DownloadedProfile {
    let content: [UInt8]
    let signature: ProfileSignature
    /// The signer's name, or why the signature is not trusted.
    let detail: String?

    struct Invalid: Error {
        let reason: String
    }

    /// - Throws: ``Invalid`` for an invalid signature, for which iOS treats the profile as damaged; an
    ///   untrusted signer is only shown.
    init(_ bytes: [UInt8], trusting roots: TrustedRoots, at date: Date) throws(Invalid) {
        guard bytes.first == 0x30 else {
            content = bytes
            signature = .notSigned
            detail = nil
            return
        }
        let message: SignedMessage
        do throws(MalformedMessage) {
            message = try SignedMessage(reading: bytes, limits: .profile)
        } catch {
            throw Invalid(reason: "the profile's signed message cannot be read: \(error)")
        }
        do throws(SignatureRefusal) {
            let proven = try message.verified(
                by: SignerPolicy(),
                anchors: TrustAnchors.apple.adding(roots.certificates),
                at: date,
            )
            content = proven.content
            signature = .verified
            detail = proven.signer.map { "by “\($0)”" }
        } catch {
            guard error.concernsTrust, let content = message.content else {
                throw Invalid(reason: "the profile's signature is not valid: \(error)")
            }
            self.content = content
            signature = .unverified
            detail = error.description
        }
    }
}

extension SignatureRefusal {
    /// Whether the signature is valid but its signer is not trusted.
    fileprivate var concernsTrust: Bool {
        switch self {
        case .untrustedRoot, .notAnAuthority, .unknownCriticalExtension, .notYetValid, .expired:
            true
        default: false
        }
    }
}
