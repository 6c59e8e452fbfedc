import Bytes
package import Cryptography
import PropertyLists

import Essentials

/// The result of reading the second form inside a profile, the key `DER-Encoded-Profile`: a separate
/// signed message, which iOS 15 and later use (TN3125).
package enum SecondProfileForm: Equatable, Sendable {
    /// Not checked, because the first form is not verified either.
    case notJudged
    case absent
    /// Not a signed message, or not one with a profile.
    case malformed(String)
    case refused(SignatureRefusal)
    /// Verified, with the keys whose values differ between the forms, sorted.
    case read(differences: [String])
    /// As ``read(differences:)``, but by another signer than usual, with a chain to a trusted root.
    case readFromOther(signer: String, differences: [String])

    /// Checks the second form in the content of a profile whose first form is verified.
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

    /// The signer's names are known only from a few profiles, so other names are accepted.
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
