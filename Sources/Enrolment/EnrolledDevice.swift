import Bundles
package import Cryptography
package import Essentials
package import Identifiers

/// A device that proved itself for an invitation.
///
/// Only ``EnrolmentAnswer/verified(by:for:anchors:at:)`` makes one. What is proven is that the key
/// of some Apple device signed this answer, and that the holder of the device had this invitation's
/// profile; a device whose owner has broken into it can still claim another's identifier.
package struct EnrolledDevice: Equatable, Sendable {
    package let udid: DeviceUDID
    /// What its tester called it when they joined; nil where the invitation says it.
    package let name: String?
    package let product: ProductType
    /// The system version as the device says it, mostly a build such as `21E236`.
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

    /// The system version that it has at least; nil if the build does not say.
    package var os: OSVersion? {
        OSBuild(version).map(\.version) ?? OSVersion(version)
    }
}
