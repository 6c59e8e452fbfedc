package import Identifiers

/// The body of `POST /apps`: an app without builds, in one object with the settings of `PATCH`.
package struct NewApp: Codable, Sendable, Equatable {
    package let identifier: BundleIdentifier
    /// The settings that differ from the defaults: open, on the start page, without a team.
    ///
    /// Without a title, the app is named after the last component of its identifier; without a slug, it
    /// gets one derived from its title.
    package let settings: AppChange

    package init(_ identifier: BundleIdentifier, _ settings: AppChange = AppChange()) {
        self.identifier = identifier
        self.settings = settings
    }

    private enum CodingKeys: String, CodingKey {
        case identifier = "app"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        identifier = try container.decode(BundleIdentifier.self, forKey: .identifier)
        settings = try AppChange(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        try settings.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(identifier, forKey: .identifier)
    }

    /// Its title, or the default one.
    package var title: String {
        settings.title
            ?? String((identifier.components.last ?? "").prefix(AppChange.titleLimit))
    }
}
