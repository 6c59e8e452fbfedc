package import Identifiers
import Releases

/// A list of devices as exported by Apple's developer site.
package struct DeviceListing: Codable, Sendable, Equatable {
    /// Tab-separated: Device ID, Device Name, Device Platform.
    package let text: String
    /// Whether the developer account has these devices already.
    package let isRegistered: Bool
    /// The family of devices whose line does not contain one.
    package let family: ProductFamily
    /// The team to whose developer account new devices belong; nil for the only team.
    package let team: TeamIdentifier?

    private enum CodingKeys: String, CodingKey {
        case text = "list"
        case isRegistered = "registered"
        case family, team
    }

    package init(
        text: String,
        isRegistered: Bool = false,
        family: ProductFamily = .iphone,
        team: TeamIdentifier? = nil,
    ) {
        self.text = text
        self.isRegistered = isRegistered
        self.family = family
        self.team = team
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        text = try values.decode(String.self, forKey: .text)
        isRegistered = try values.decodeIfPresent(Bool.self, forKey: .isRegistered) ?? false
        family = try values.decodeIfPresent(ProductFamily.self, forKey: .family) ?? .iphone
        team = try values.decodeIfPresent(TeamIdentifier.self, forKey: .team)
    }
}
