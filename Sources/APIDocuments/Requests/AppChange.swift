package import Identifiers
package import Releases

/// What may be changed of an app; nil leaves it as it is.
package struct AppChange: Codable, Sendable, Equatable {
    /// In characters.
    package static let titleLimit = 80

    package var title: String?
    package var access: AppRecord.Access?
    /// The app's name in URLs; the server redirects the previous name to the new one.
    package var slug: Slug?
    /// What opens it under ``AppRecord/Access/passphrase``; kept as a hash.
    package var passphrase: String?
    /// Whether the start page names the app.
    package var isListed: Bool?

    private enum CodingKeys: String, CodingKey {
        case title, access, slug, passphrase
        case isListed = "listed"
    }

    package init(
        title: String? = nil,
        access: AppRecord.Access? = nil,
        slug: Slug? = nil,
        passphrase: String? = nil,
        isListed: Bool? = nil,
    ) {
        self.title = title
        self.access = access
        self.slug = slug
        self.passphrase = passphrase
        self.isListed = isListed
    }
}
