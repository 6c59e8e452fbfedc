import Bundles
package import Identifiers
import Releases

/// A device that an admin adds by hand.
package struct NewDevice: Codable, Sendable, Equatable {
    package let udid: DeviceUDID
    /// Nil for one made of the family.
    package var name: String?
    /// Nil for the model's family, or else an iPhone.
    package var family: ProductFamily?
    /// The product type, such as `iPhone15,2`.
    package var model: String?
    package var os: OSVersion?
    /// To whose developer account it belongs; nil for that of the only team.
    package var team: TeamIdentifier?

    package init(
        udid: DeviceUDID,
        name: String? = nil,
        family: ProductFamily? = nil,
        model: String? = nil,
        os: OSVersion? = nil,
        team: TeamIdentifier? = nil,
    ) {
        self.udid = udid
        self.name = name
        self.family = family
        self.model = model
        self.os = os
        self.team = team
    }
}
