import APIDocuments
import Access
import Administration
import Bundles
import Foundation
import Identifiers
import Notices
import Pages
import Releases
import SiteServices
import Store

/// A signed-in admin's request for a page: what they may see, and the page's chrome.
struct AdminRequest: Sendable {
    let services: AdminServices
    let principal: Principal
    let session: Session
    let section: AdminSection?
    /// The flash message of the last action.
    let flash: ActionReport?
    /// Whether the page can be reloaded by its URL, and so can follow events; the response to a form
    /// cannot.
    var isLive = true

    var site: Site { services.site }
    var store: OTAStore { site.store }
    var now: Date { site.now }
    var links: AdminLinks { AdminLinks(base: site.links.base) }
    /// The value of each form's `form` field.
    var formCode: String { site.sessions.formCode(for: session) }
    var isAdmin: Bool { principal.may(.admin) }

    /// The actions of an admin, performed in this admin's name.
    var administrator: Administrator {
        Administrator(of: store, named: principal.name, clock: site.clock)
    }

    /// The same for actions that return documents.
    var administration: LocalAdministration {
        var local = LocalAdministration(
            administrator,
            anchors: services.profileAnchors,
            links: site.links,
            holder: principal,
        )
        local.surroundings = services.surroundings
        local.keyFile = services.keyFile
        local.accounts = services.accounts
        local.runnerAgent = AgentFile.sha256
        local.providers = site.people.transport
        local.standing = ServerStanding(services.health, services.certificateHealth)
        return local
    }

    /// Performs an action in this admin's name.
    @discardableResult
    func perform<Performed: StoreAction>(_ action: Performed) throws -> Performed.Answer {
        try administration.perform(action)
    }

    func sees(_ app: BundleIdentifier) -> Bool { principal.may(.read, on: app) }

    /// Returns the apps that they may see, by title.
    func apps() throws -> [AppRecord] {
        try store.apps().filter { sees($0.bundleIdentifier) }
    }

    /// - Throws: ``Refusal/notFound`` for an app that does not exist, or that they may not see.
    func app(_ slug: Slug) throws -> AppRecord {
        guard let app = try store.app(slug: slug), sees(app.bundleIdentifier) else {
            throw Refusal.notFound
        }
        return app
    }

    /// Returns the device of a reference in a path.
    ///
    /// - Throws: ``Refusal/notFound`` for an unknown reference.
    func device(_ reference: String) throws -> Device {
        guard let device = try known(reference) else { throw Refusal.notFound }
        return device
    }

    /// Returns the chrome of the page.
    func chrome() throws -> AdminChrome {
        // The chrome of a page that reports a damaged document must not need that document.
        let waiting = try store.unlessDamaged {
            isAdmin ? services.deviceIndexes.waiting(in: try store.devices()) : 0
        }
        let expiry = isAdmin ? try store.unlessDamaged { try expiryBanner() } : nil
        return AdminChrome(
            site: site.pages.chrome,
            publicURL: site.pages.publicURL,
            reader: AdminChrome.Reader(
                name: principal.name,
                rights: rights,
                sections: AdminRoutes.sections.filter { isAdmin || $0.isForReaders },
                current: section,
                links: links,
                formCode: formCode,
                eventsURL: isAdmin && isLive ? try eventsURL() : nil,
                waiting: [.devices: waiting ?? 0, .profiles: expiry?.count ?? 0],
                isPerson: session.kind == .person,
            ),
            // Other pages only have the number beside *Profiles*.
            banner: section == .dashboard ? expiry?.banner(leadingTo: links.profiles) : nil,
            flash: flash.map { AdminChrome.Flash($0, formCode) },
        )
    }

    private func expiryBanner() throws -> ExpiryBanner {
        let timeline = try ExpiryTimeline(
            of: store,
            serverCertificate: services.serverCertificate(),
            at: now,
        )
        return ExpiryBanner(of: timeline, at: now)
    }

    /// Returns the path of the event stream from this moment on, so that the page's script misses no
    /// event.
    private func eventsURL() throws -> String {
        site.links.base.path + "/events?after=\(try store.activityEnd(at: now))"
    }

    private var rights: String {
        if isAdmin { return "Admin" }
        let publishes = principal.scopes.filter { $0.action == .publish }
        let scopes = publishes.isEmpty ? principal.scopes : publishes
        let role = publishes.isEmpty ? "Viewer" : "Publisher"
        guard scopes.allSatisfy({ $0.app != nil }) else { return "\(role) of all apps" }
        let apps = Set(scopes.compactMap(\.app)).map(\.rawValue).sorted()
        return "\(role) of \(apps.joined(separator: ", "))"
    }
}

extension AdminChrome.Flash {
    fileprivate init(_ report: ActionReport, _ formCode: String) {
        self.init(
            report.message,
            tone: report.isWarning ? "warn" : "good",
            undo: report.undo.map { undo in
                AdminChrome.Undo(
                    url: undo.url,
                    code: formCode,
                    fields: [("channel", undo.channel), ("instead", undo.instead)],
                )
            },
        )
    }
}
