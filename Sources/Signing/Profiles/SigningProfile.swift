package import Bundles
package import Cryptography
package import Essentials

/// A provisioning profile to be embedded in an app: its bytes and its parsed contents.
package struct SigningProfile: Sendable {
    /// The contents of `embedded.mobileprovision`.
    package let bytes: [UInt8]
    /// The file that it was read from, for errors.
    package let place: String
    /// The parsed contents; ``ProvisioningProfile/trust`` says whether the signature was verified.
    package let facts: ProvisioningProfile

    /// Parses a profile and verifies its signature.
    ///
    /// - Throws: ``ProfileRefusal`` for bytes that are not a profile.
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
