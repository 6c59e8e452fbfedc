package import APIDocuments
import Identifiers
package import Releases
import Store

extension Administrator {
    /// Adds an app that has no build yet; the first published build gets its settings.
    ///
    /// - Parameter new: the bundle identifier, and the settings that differ from the defaults.
    /// - Returns: the app, which offers no release.
    /// - Throws: ``AdministrationRefusal/appExists(_:)`` and other cases of it; ``SlugRefusal``,
    ///   ``PassphraseRefusal``, ``TeamRefusal``, ``StoreFailure``.
    package func addApp(_ new: NewApp) throws -> AppRecord {
        let (identifier, title) = (new.identifier, new.title)
        try Self.check(title: title)
        if let there = try store.app(identifier) {
            throw AdministrationRefusal.appExists(there.slug)
        }
        let passphrase = try prepare(new.settings)
        let now = clock()
        var app = AppRecord(
            bundleIdentifier: identifier,
            title: title,
            slug: Slug(title: title, identifier: identifier),
            created: now,
        )
        // First, so that a refused change does not claim a slug.
        try Self.apply(new.settings, passphrase, to: &app)
        if let slug = new.settings.slug {
            try store.claim(slug, for: identifier)
        } else {
            app.slug = try store.claimSlug(for: title, by: identifier)
        }
        let detail = app.team.map { "signed for team \($0)" }
        let entry = activity(.appAdded, app: app, app.title, detail: detail, at: now)
        guard try store.add(app, recording: entry) else {
            throw AdministrationRefusal.appExists(app.slug)
        }
        return app
    }
}
