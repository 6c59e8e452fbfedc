import Bundles
import Releases

/// Which app has which name in URLs: `slugs.json`.
///
/// A document of its own, because two apps of one title that are published at the same moment must
/// not both take the name; one compare-and-swap decides.
struct SlugRegister: Codable, Equatable, Sendable {
    var schema = 1
    /// By slug.
    private var apps: [String: BundleIdentifier] = [:]

    /// The slug that an app has already, or the first free one that suits its title.
    mutating func claim(for title: String, by app: BundleIdentifier) -> Slug {
        if let slug = apps.first(where: { $0.value == app }).flatMap({ Slug($0.key) }) {
            return slug
        }
        let wanted = Slug(title: title, identifier: app)
        var slug = wanted
        var number = 1
        while apps[slug.rawValue] != nil {
            number += 1
            slug = wanted.numbered(number)
        }
        apps[slug.rawValue] = app
        return slug
    }
}

extension OTAStore {
    /// Claims a slug for an app that is about to be made; the same one again after a crash.
    func claimSlug(for title: String, by app: BundleIdentifier) throws -> Slug {
        var slug = Slug(title: title, identifier: app)
        _ = try change(.slugs, else: SlugRegister()) { slug = $0.claim(for: title, by: app) }
        return slug
    }
}

extension DocumentName {
    static let slugs = DocumentName(known: "slugs.json")
}
