import Access
import Administration
import HTTPServing
import Identifiers
import Images
import Pages
import Releases
import SiteServices
import Store

/// A release in a path, for a visitor who may see its app.
struct AdminRelease: Sendable {
    /// The parameters of a release in a path.
    struct Name: Sendable {
        let slug: Slug
        let release: ReleaseIdentifier

        init(_ context: RouteContext) throws(Refusal) {
            slug = try context.slug
            release = try context.release
        }
    }

    let app: AppRecord
    let release: Release
    let links: AdminReleaseLinks

    /// - Throws: ``Refusal/notFound`` for a release that does not exist, or that they may not see.
    init(_ name: Name, for visit: AdminRequest) throws {
        app = try visit.app(name.slug)
        guard let release = try visit.store.release(name.release, of: app.bundleIdentifier) else {
            throw Refusal.notFound
        }
        self.release = release
        links = visit.links.pages(of: app.slug).release(name.release)
    }

    /// The title, as in `Browsey 2.4.0 (318)`.
    var title: String { "\(app.title) \(release.version) (\(release.build))" }

    func requirePublisher(_ visit: AdminRequest) throws(Refusal) {
        try SignIn.require(visit.principal, .publish, on: app.bundleIdentifier)
    }

    /// The release's identifier in actions.
    var identifier: String { release.identifier.rawValue }

    /// The app's name in actions.
    var appName: String { app.bundleIdentifier.rawValue }

    /// Returns whether another release of the app can be offered: it exists and is not withdrawn.
    func canOffer(_ other: ReleaseIdentifier, _ visit: AdminRequest) throws -> Bool {
        let found = try visit.store.release(other, of: app.bundleIdentifier)
        return found.map { $0.withdrawal == nil } ?? false
    }

    /// Returns the page of the release, compared with another build, or with the one before it.
    func page(
        against other: ReleaseIdentifier? = nil,
        promoting typed: ReleaseActions.Typed? = nil,
        for visit: AdminRequest,
    ) throws -> ReleasePage {
        let report = try visit.store.report(of: release)
        let attempts = try visit.attempts(of: app) { $0.release == release.identifier }
        let coverage = try visit.coverage(of: release)
        let shown = visit.site.links.release(release.identifier, of: app.slug)
        return ReleasePage(
            subject: ReleasePage.Subject(
                app: app,
                release: release,
                report: report,
                work: try visit.work(on: release),
                reach: try reach(for: visit),
            ),
            register: ReleasePage.Register(
                canInstall: coverage.able.count,
                devices: coverage.total,
                blocked: visit.isAdmin
                    ? try visit.devices(
                        at: coverage.blocked.prefix(ReleasePage.Register.blockedCount),
                        judgedBy: report,
                    ) : [],
                attempts: try attempts.prefix(AdminRequest.installCount).map { attempt in
                    let device =
                        visit.isAdmin ? try attempt.device.flatMap { try visit.known($0) } : nil
                    return NamedAttempt(
                        attempt: attempt,
                        device: device.map { ($0.name, visit.url(of: $0)) },
                    )
                },
                attemptTotal: attempts.count,
                isNamed: visit.isAdmin,
            ),
            links: ReleasePage.Links(
                app: visit.links.app(app.slug),
                admin: links,
                shown: shown,
                code: release.withdrawal == nil
                    ? try QRCode(encoding: shown, correction: .medium)
                        .svg(label: "Install \(title)") : nil,
                icon: links.icon,
            ),
            actions: visit.principal.may(.publish, on: app.bundleIdentifier)
                ? ReleaseActions(for: release, of: app, links: links, typed: typed) : nil,
            symbols: SymbolsCard(
                of: release,
                app: app.slug.rawValue,
                links: links,
                code: visit.formCode,
                isPublisher: visit.principal.may(.publish, on: app.bundleIdentifier),
            ),
            history: try history(against: other, report, attempts, for: visit),
            at: visit.now,
            admin: try visit.chrome(),
        )
    }

    func notesPage(
        _ notes: String,
        version: String? = nil,
        problem: PageProblem? = nil,
        for visit: AdminRequest,
    ) throws -> NotesPage {
        NotesPage(
            of: title,
            at: links.page,
            sentTo: links.notes,
            version: try version ?? DocumentTag(of: release.notes).plain,
            markdown: notes,
            problem: problem,
            admin: try visit.chrome(),
        )
    }
}

extension AdminRequest {
    func icon(of release: Release, route: String) throws -> CachedResponse {
        let digest = release.icons.large
        return IconAnswer.make(try store.bytes(of: digest, atMost: 4 << 20), digest, route: route)
    }
}
