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

/// A request of a signed-in admin for one page: what they may see, and the page's chrome.
struct AdminRequest: Sendable {
    let services: AdminServices
    let principal: Principal
    let session: Session
    let section: AdminSection?
    /// The flash message of the last action.
    let flash: ActionReport?
    /// Whether the page can be asked for again by its address, and so can follow what happens; what
    /// answers a form cannot.
    var isLive = true

    var site: Site { services.site }
    var store: OTAStore { site.store }
    var now: Date { site.now }
    var links: AdminLinks { AdminLinks(base: site.links.base) }
    /// What each form on the page carries in `form`.
    var formCode: String { site.sessions.formCode(for: session) }
    var isAdmin: Bool { principal.may(.admin) }

    /// The actions of an admin, in this one's name.
    var administrator: Administrator {
        Administrator(of: store, named: principal.name, clock: site.clock)
    }

    /// The same for actions, which answer with documents.
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

    /// The apps that they may see, by title.
    func apps() throws -> [AppRecord] {
        try store.apps().filter { sees($0.bundleIdentifier) }
    }

    /// - Throws: ``Refusal/notFound`` for an app that is not there, or not for them.
    func app(_ slug: Slug) throws -> AppRecord {
        guard let app = try store.app(slug: slug), sees(app.bundleIdentifier) else {
            throw Refusal.notFound
        }
        return app
    }

    /// The device that an address names.
    ///
    /// - Throws: ``Refusal/notFound`` when it names none.
    func device(_ reference: String) throws -> Device {
        guard let device = try known(reference) else { throw Refusal.notFound }
        return device
    }

    /// What stands around the page.
    func chrome() throws -> AdminChrome {
        // What is around a page that says which document is damaged must not need that document.
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
            // Other pages are about something else, and have the number beside *Profiles*.
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

    /// The feed from this moment on, so that nothing is missed between the page and its script.
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
