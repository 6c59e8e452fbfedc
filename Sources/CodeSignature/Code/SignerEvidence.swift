package import Cryptography
package import Essentials

/// The signer of code, with the result of verification.
package enum SignerEvidence: Sendable {
    /// There is no blob for the CMS message.
    case absent
    /// The blob is empty: an ad hoc signature, which has no signer.
    case adHoc
    case malformed(MalformedMessage)
    /// Rejected, with the certificate that the message names, which is not verified.
    case refused(SignatureRefusal, claimed: Certificate?)
    case proven(SignerProof)

    package var proof: SignerProof? {
        if case .proven(let proof) = self { proof } else { nil }
    }

    /// Verifies the CMS message of a signature, regardless of dates.
    init(_ message: ArraySlice<UInt8>?, over code: [UInt8], trusting anchors: TrustAnchors) {
        guard let message else {
            self = .absent
            return
        }
        guard !message.isEmpty else {
            self = .adHoc
            return
        }
        let parsed: SignedMessage
        do throws(MalformedMessage) {
            parsed = try SignedMessage(reading: Array(message))
        } catch {
            self = .malformed(error)
            return
        }
        do throws(SignatureRefusal) {
            let verified = try parsed.verified(
                by: .appSigning.ignoringDates,
                anchors: anchors,
                at: .distantPast,
                detachedContent: code,
            )
            self = .proven(SignerProof(verified))
        } catch {
            self = .refused(error, claimed: parsed.claimedSigner)
        }
    }
}

/// A signer whose signature and chain are verified; the chain's dates are checked separately.
package struct SignerProof: Sendable {
    /// The leaf first, the trusted root last.
    package let chain: [Certificate]
    package let anchor: VerifiedMessage.Anchor
    /// The signing time that the signer states; no authority confirms it.
    package let signingTime: Date?
    let attributes: SignedAttributes?

    init(_ message: VerifiedMessage) {
        chain = message.chain
        anchor = message.anchor
        signingTime = message.signingTime
        attributes = message.attributes
    }

    package var certificate: Certificate? { chain.first }

    /// Why a device would not accept the signer at `date`; nil when it would.
    ///
    /// Every certificate below the root must be within its validity period: iOS checks these dates.
    package func refusal(at date: Date) -> SignatureRefusal? {
        for certificate in chain.dropLast() {
            if date < certificate.notBefore {
                return .notYetValid("\(certificate)", from: certificate.notBefore)
            }
            if date > certificate.notAfter {
                return .expired("\(certificate)", on: certificate.notAfter)
            }
        }
        return nil
    }

    /// The date from which a certificate of the chain, other than the root, has expired.
    package var expires: Date? { chain.dropLast().map(\.notAfter).min() }
}
