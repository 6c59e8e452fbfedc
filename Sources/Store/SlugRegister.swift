import Bundles
package import Identifiers
package import Problems
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
        if let slug = slug(of: app) { return slug }
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

extension SlugRegister {
    /// The app that a slug leads to, also one that it had before.
    func app(_ slug: Slug) -> BundleIdentifier? { apps[slug.rawValue] }

    /// A slug of an app; nil for one that never had any.
    func slug(of app: BundleIdentifier) -> Slug? {
        apps.first { $0.value == app }.flatMap { Slug($0.key) }
    }

    /// Gives an app another slug; its earlier slugs keep leading to it.
    ///
    /// - Throws: ``SlugRefusal/taken(_:)``.
    mutating func give(_ slug: Slug, to app: BundleIdentifier) throws(SlugRefusal) {
        guard apps[slug.rawValue, default: app] == app else { throw .taken(slug) }
        apps[slug.rawValue] = app
    }
}

/// Why an app does not get a slug.
package enum SlugRefusal: ReportableError, Equatable {
    /// Another app has it, or had it: links that people keep must not lead elsewhere.
    case taken(Slug)

    package var description: String {
        switch self {
        case .taken(let slug): "the slug \(slug) belongs or belonged to another app"
        }
    }
}

extension SlugRefusal {
    package var id: String { "app.slug-taken" }
    package var kind: Problem.Kind { .conflict }
    package var fix: String { "choose another slug" }
}

extension OTAStore {
    /// Claims a slug for an app that is to have it from now on.
    ///
    /// - Throws: ``SlugRefusal``, and ``StoreFailure``.
    package func claim(_ slug: Slug, for app: BundleIdentifier) throws {
        _ = try change(.slugs, else: SlugRegister()) { try $0.give(slug, to: app) }
    }

    /// The app that had a slug before.
    func formerApp(slug: Slug) throws(StoreFailure) -> AppRecord? {
        guard let identifier = try value(SlugRegister.self, .slugs)?.app(slug) else { return nil }
        return try app(identifier)
    }

    /// Claims a slug for an app that is about to be made; the same one again after a crash.
    package func claimSlug(for title: String, by app: BundleIdentifier) throws -> Slug {
        var slug = Slug(title: title, identifier: app)
        _ = try change(.slugs, else: SlugRegister()) { slug = $0.claim(for: title, by: app) }
        return slug
    }
}

extension DocumentName {
    static let slugs = DocumentName(known: "slugs.json")
}
