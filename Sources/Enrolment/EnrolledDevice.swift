import Bundles
package import Cryptography
package import Essentials
package import Identifiers

/// A device that proved its identity for an invitation.
///
/// Only ``EnrolmentAnswer/verified(by:for:anchors:at:)`` creates one. It is proven that the key of some
/// Apple device signed the response, and that the device's holder had this invitation's profile; the
/// owner of a jailbroken device can still claim another device's identifier.
package struct EnrolledDevice: Equatable, Sendable {
    package let udid: DeviceUDID
    /// The name that its tester entered; nil if the invitation has it.
    package let name: String?
    package let product: ProductType
    /// The system version that the device reports, mostly a build such as `21E236`.
    package let version: String
    package let invitation: InvitationIdentifier
    package let date: Date
    /// Apple, or an authority for tests that the operator added.
    package let vouchedBy: VerifiedMessage.Anchor

    init(
        proven claims: EnrolmentClaims,
        named name: String?,
        for invitation: InvitationIdentifier,
        at date: Date,
        by anchor: VerifiedMessage.Anchor,
    ) {
        udid = claims.udid
        self.name = name
        product = claims.product
        version = claims.version
        self.invitation = invitation
        self.date = date
        vouchedBy = anchor
    }

    package var model: DeviceModel { DeviceModel(product) }

    /// The least system version that the build implies; nil if the build is unknown.
    package var os: OSVersion? {
        OSBuild(version).map(\.version) ?? OSVersion(version)
    }
}
