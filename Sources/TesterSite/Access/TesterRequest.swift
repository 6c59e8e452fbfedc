import Access
import Bundles
import Essentials
import Foundation
import HTTPTypes
import Hummingbird
import Identifiers
import Pages
import Releases
import SiteServices
import Store

/// The visitor of a request: what their cookies prove, and what their browser reports.
struct TesterRequest: Sendable {
    let visitor: Visitor
    /// The version of iOS that the browser reports.
    let seenOS: OSVersion?
    /// Whether the request has any cookie of ours; its response must then not be shared.
    let hasCookies: Bool
    /// The chrome of their pages, in their language.
    let chrome: PageChrome
    /// The requested page, to return to after signing in; nil for anything else.
    let page: TesterPath?
    private let fields: HTTPFields
    private let cookies: CarriedCookies
    /// The sessions of the device and tester cookies, parsed once for all apps.
    private let deviceSession = Once<Session?>()
    private let personSession = Once<Session?>()
    private let site: Site
    private let references: DeviceReferences

    init(_ request: Request, in site: Site, _ references: DeviceReferences) {
        let agent = request.headers[.userAgent]
        visitor = Visitor(userAgent: agent)
        seenOS = agent.flatMap(OSVersion.init(userAgent:))
        hasCookies = request.headers[values: .cookie].contains(where: SiteCookie.isAny)
        fields = request.headers
        cookies = CarriedCookies(request.headers)
        chrome = site.pages.chrome(for: request)
        let path = request.head.path ?? ""
        let prefix = site.links.base.path
        page = TesterPath(
            path.hasPrefix(prefix + "/") ? String(path.dropFirst(prefix.count)) : path
        )
        self.site = site
        self.references = references
    }

    var words: Words { chrome.words }

    /// Returns the session that a cookie proves; nil if the session is of another kind.
    func session(_ cookie: SiteCookie, _ kind: Session.Kind) -> Session? {
        guard hasCookies, let value = cookie.value(among: cookies, below: site.links.base.path),
            let session = site.sessions.session(value, at: site.now), session.kind == kind
        else { return nil }
        return session
    }

    /// Returns the session that a cookie proves, even if it ended within the last `seconds`.
    func wasSession(_ cookie: SiteCookie, _ kind: Session.Kind, within seconds: Int) -> Session? {
        guard hasCookies, let value = cookie.value(among: cookies, below: site.links.base.path),
            let session = site.sessions.session(
                value,
                at: site.now,
                endedWithin: seconds,
            ), session.kind == kind
        else { return nil }
        return session
    }

    /// The identifier of the session of a person who signed in as a tester; the store may have ended it.
    var testerSession: String? { current(personSession { session(.tester, .tester) })?.subject }

    /// Returns whether a tester's session has only expired and the requested page can be opened again, in
    /// which case the provider may be asked for a new session without asking the person.
    func mayRenew() throws -> Bool {
        // A request by a script cannot be redirected to the provider.
        guard page != nil, fields[.secFetchDest].map({ $0 == "document" }) ?? true,
            let session = wasSession(.tester, .tester, within: Session.Kind.tester.lifetime)
        else { return false }
        return try session.expires <= site.now || site.people.hasRunOut(session.subject)
    }

    /// Returns what the signed-in person may see; nil if no tester is signed in.
    func testerRight() throws -> TesterRight? {
        try testerSession.flatMap { try site.people.knownTesterRight(in: $0) }
    }

    /// Has the provider confirm the tester's session, if that is due.
    ///
    /// - Returns: this visitor.
    /// - Throws: `StoreFailure`.
    func confirmed() async throws -> TesterRequest {
        if let testerSession { _ = try await site.people.testerRight(in: testerSession) }
        return self
    }

    /// The reference to the device that was enrolled with this browser.
    var reference: String? { current(deviceSession { session(.device, .device) })?.subject }

    /// Drops a session that has expired since it was parsed: an event stream is a request of hours.
    private func current(_ session: Session?) -> Session? {
        session.flatMap { $0.expires > site.now ? $0 : nil }
    }

    /// Returns the ended session of a result's URL, if it belongs to the device of this browser.
    func ended(_ value: String) -> Session? {
        let session = site.sessions.session(
            value,
            at: site.now,
            endedWithin: Session.Kind.device.lifetime,
        )
        return session?.subject == reference ? session : nil
    }

    /// Returns the device that was enrolled with this browser, as it is in the register; nil if it was
    /// erased.
    func device() throws -> Device? {
        guard let reference else { return nil }
        return references.device(reference, in: try site.store.devices())
    }

    /// Returns the same as ``device()``, but nil while the register is damaged: visitors who need no
    /// device then see what everyone sees.
    func deviceIfKnown() throws -> Device? {
        try site.store.unlessDamaged { try device() }
    }

    /// Returns whether the visitor is signed in to the admin pages, by a token or through the provider,
    /// and may read everything of the app there.
    func mayRead(_ app: BundleIdentifier) throws -> Bool {
        if let person = session(.admin, .person) {
            return try site.people.knownPrincipal(of: person)?.may(.read, on: app) ?? false
        }
        guard let session = session(.admin, .admin) else { return false }
        do {
            return try site.store.tokens().principal(of: session, at: site.now)
                .may(.read, on: app)
        } catch is TokenRefusal {
            return false
        }
    }
}

extension OSVersion {
    /// Parses `CPU iPhone OS 17_4_1 like Mac OS X` in a `User-Agent`; nil if the browser reports no such
    /// version.
    init?(userAgent agent: String) {
        guard let start = agent.firstRange(of: " OS ")?.upperBound,
            agent[start...].firstRange(of: " like Mac OS X") != nil
        else { return nil }
        let text = agent[start...].prefix { $0 != " " }.replacing("_", with: ".")
        self.init(String(text))
    }
}
