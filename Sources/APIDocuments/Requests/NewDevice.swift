import Bundles
package import Identifiers
import Releases

/// A device that an admin adds manually.
package struct NewDevice: Codable, Sendable, Equatable {
    package let udid: DeviceUDID
    /// Nil for a name derived from the family.
    package var name: String?
    /// Nil for the model's family, or iPhone if that is unknown.
    package var family: ProductFamily?
    /// The product type, such as `iPhone15,2`.
    package var model: String?
    package var os: OSVersion?
    /// The team to whose developer account it belongs; nil for the only team.
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
