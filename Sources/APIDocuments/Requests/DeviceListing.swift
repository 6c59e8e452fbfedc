package import Identifiers
import Releases

/// A list of devices as Apple's developer site gives it.
package struct DeviceListing: Codable, Sendable, Equatable {
    /// Tab-separated: Device ID, Device Name, Device Platform.
    package let text: String
    /// Whether the developer account has these devices already.
    package let isRegistered: Bool
    /// The family of devices whose line does not tell.
    package let family: ProductFamily

    private enum CodingKeys: String, CodingKey {
        case text = "list"
        case isRegistered = "registered"
        case family
    }

    package init(text: String, isRegistered: Bool = false, family: ProductFamily = .iphone) {
        self.text = text
        self.isRegistered = isRegistered
        self.family = family
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        text = try values.decode(String.self, forKey: .text)
        isRegistered = try values.decodeIfPresent(Bool.self, forKey: .isRegistered) ?? false
        family = try values.decodeIfPresent(ProductFamily.self, forKey: .family) ?? .iphone
    }
}
