import Bundles
package import Identifiers
package import Problems
import Releases

/// The slugs of apps in URLs: `slugs.json`.
///
/// A separate document, because two apps with the same title that are published at the same time must not
/// both get the slug; one compare-and-swap decides.
struct SlugRegister: Codable, Equatable, Sendable {
    var schema = 1
    /// By slug.
    private var apps: [String: BundleIdentifier] = [:]

    /// The slug that an app already has, or the first free one for its title.
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
    /// The app with a slug, or the one that had it before.
    func app(_ slug: Slug) -> BundleIdentifier? { apps[slug.rawValue] }

    /// A slug of an app; nil for an app that never had one.
    func slug(of app: BundleIdentifier) -> Slug? {
        apps.first { $0.value == app }.flatMap { Slug($0.key) }
    }

    /// Gives an app another slug; its earlier slugs remain valid.
    ///
    /// - Throws: ``SlugRefusal/taken(_:)``.
    mutating func give(_ slug: Slug, to app: BundleIdentifier) throws(SlugRefusal) {
        guard apps[slug.rawValue, default: app] == app else { throw .taken(slug) }
        apps[slug.rawValue] = app
    }
}

/// Why an app cannot have a slug.
package enum SlugRefusal: ReportableError, Equatable {
    /// Another app has or had the slug; old links must not lead to a different app.
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
    /// Claims a slug that an app will use from now on.
    ///
    /// - Throws: ``SlugRefusal``, and ``StoreFailure``.
    package func claim(_ slug: Slug, for app: BundleIdentifier) throws {
        _ = try change(.slugs, else: SlugRegister()) { try $0.give(slug, to: app) }
    }

    /// The app that has or had a slug.
    func formerApp(slug: Slug) throws(StoreFailure) -> AppRecord? {
        guard let identifier = try value(SlugRegister.self, .slugs)?.app(slug) else { return nil }
        return try app(identifier)
    }

    /// Claims a slug for an app that is about to be created; returns the same slug again after a crash.
    package func claimSlug(for title: String, by app: BundleIdentifier) throws -> Slug {
        var slug = Slug(title: title, identifier: app)
        _ = try change(.slugs, else: SlugRegister()) { slug = $0.claim(for: title, by: app) }
        return slug
    }
}

extension DocumentName {
    static let slugs = DocumentName(known: "slugs.json")
}
