package import Bundles
package import Cryptography
package import Essentials

/// A provisioning profile that may be put into an app: its bytes, and what they say.
package struct SigningProfile: Sendable {
    /// What becomes `embedded.mobileprovision`.
    package let bytes: [UInt8]
    /// The file that it came from, for errors.
    package let place: String
    /// ``ProvisioningProfile/trust`` says whether they are proven.
    package let facts: ProvisioningProfile

    /// Reads a profile and judges who signed it.
    ///
    /// - Throws: ``ProfileRefusal`` for bytes that are no profile.
    package init(
        _ bytes: [UInt8],
        at place: String,
        trusting anchors: TrustAnchors,
        date: Date,
    ) throws(ProfileRefusal) {
        self.bytes = bytes
        self.place = place
        facts = try ProfileEnvelope(bytes: bytes, place: place).judged(against: anchors, at: date)
    }
}
