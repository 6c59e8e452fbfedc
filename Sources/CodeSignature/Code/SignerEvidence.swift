package import Cryptography
package import Essentials

/// Who signed code, as far as it can be proven.
package enum SignerEvidence: Sendable {
    /// No wrapper for a message.
    case absent
    /// An empty wrapper: an ad hoc signature, which has no signer.
    case adHoc
    case malformed(MalformedMessage)
    /// Not believed, with the certificate that the message names, which proves nothing.
    case refused(SignatureRefusal, claimed: Certificate?)
    case proven(SignerProof)

    package var proof: SignerProof? {
        if case .proven(let proof) = self { proof } else { nil }
    }

    /// Proves the message of a signature, at whatever date.
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

/// A signer whose signature and chain are proven, for as long as the chain's dates last.
package struct SignerProof: Sendable {
    /// Leaf first, trusted root last.
    package let chain: [Certificate]
    package let anchor: VerifiedMessage.Anchor
    /// What the signer claims; no authority vouches for it.
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
    /// Every certificate below the root must be in its validity: iOS checks dates here.
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

    /// The moment from which the chain is too old.
    package var expires: Date? { chain.dropLast().map(\.notAfter).min() }
}
