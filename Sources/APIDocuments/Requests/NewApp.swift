package import Identifiers

/// `POST /apps`: an app that has no build yet, in one object with what `PATCH` takes.
package struct NewApp: Codable, Sendable, Equatable {
    package let identifier: BundleIdentifier
    /// What differs from the usual: open, on the start page, without team.
    ///
    /// Without a title it is called as the last part of its identifier, and without a slug it gets one
    /// that suits its title.
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

    /// Its name if none is given.
    package var title: String {
        settings.title
            ?? String((identifier.components.last ?? "").prefix(AppChange.titleLimit))
    }
}
