import Bytes
package import Cryptography
import PropertyLists

import Essentials

/// What came of the second form inside a profile, its key `DER-Encoded-Profile`: a signed message of
/// its own, which iOS 15 and later go by (TN3125).
package enum SecondProfileForm: Equatable, Sendable {
    /// The first form is not proven either.
    case notJudged
    case absent
    /// Not a signed message, or not one of a profile.
    case malformed(String)
    case refused(SignatureRefusal)
    /// Proven, with the keys about which the forms do not agree, sorted.
    case read(differences: [String])
    /// As ``read(differences:)``, signed under a trusted root by another signer than usual.
    case readFromOther(signer: String, differences: [String])

    /// Judges the second form in the content of a profile whose first form is proven.
    init(in content: PropertyList, trusting anchors: TrustAnchors, at date: Date) {
        guard let value = content[EncodedProfile.key] else {
            self = .absent
            return
        }
        guard let bytes = value.data else {
            self = .malformed("not data")
            return
        }
        do {
            let message = try SignedMessage(reading: bytes)
            let (proven, isUsual) = try Self.proven(message, anchors, date)
            let differences = try EncodedProfile(reading: proven.content)
                .differences(from: content)
            self =
                isUsual
                ? .read(differences: differences)
                : .readFromOther(
                    signer: proven.signer?.description ?? "no one",
                    differences: differences,
                )
        } catch let refusal as SignatureRefusal {
            self = .refused(refusal)
        } catch {
            self = .malformed("\(error)")
        }
    }

    /// The names of the signer are known from a few profiles only, so others are no refusal.
    private static func proven(
        _ message: SignedMessage,
        _ anchors: TrustAnchors,
        _ date: Date,
    ) throws(SignatureRefusal) -> (VerifiedMessage, isUsual: Bool) {
        do throws(SignatureRefusal) {
            let usual = try message.verified(
                by: .encodedProvisioningProfile,
                anchors: anchors,
                at: date,
            )
            return (usual, true)
        } catch {
            let policy = SignerPolicy(checksDates: false)
            guard let other = try? message.verified(by: policy, anchors: anchors, at: date) else {
                throw error
            }
            return (other, false)
        }
    }
}
