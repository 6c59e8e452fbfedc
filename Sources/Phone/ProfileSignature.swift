import Cryptography
import Foundation

/// What Settings writes under a profile's name.
enum ProfileSignature: String {
    case verified = "Verified"
    case unverified = "Unverified"
    case notSigned = "Not Signed"
}

/// A downloaded profile, out of the message that it may be signed in.
struct DownloadedProfile {
    let content: [UInt8]
    let signature: ProfileSignature
    /// Who signed it, or why that is not believed.
    let detail: String?

    struct Invalid: Error {
        let reason: String
    }

    /// - Throws: ``Invalid`` for a signature that does not hold, which iOS takes for damage; one by
    ///   a signer who is not trusted is only shown.
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
    /// Whether the bytes are what was signed, by a signer whom the phone does not trust.
    fileprivate var concernsTrust: Bool {
        switch self {
        case .untrustedRoot, .notAnAuthority, .unknownCriticalExtension, .notYetValid, .expired:
            true
        default: false
        }
    }
}
