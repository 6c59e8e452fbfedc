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

/// The visitor of a request: what its cookies prove, and what its browser reports.
struct TesterRequest: Sendable {
    let visitor: Visitor
    /// The version of iOS that the browser tells.
    let seenOS: OSVersion?
    /// Whether any cookie of ours came along; an answer to such a request must not be shared.
    let hasCookies: Bool
    /// What surrounds their pages, in their language.
    let chrome: PageChrome
    /// The page that they asked for, to come back to after signing in; nil for anything else.
    let page: TesterPath?
    private let fields: HTTPFields
    private let cookies: CarriedCookies
    /// What the cookies of a device and of a person prove, whichever app they open.
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

    /// The session that a cookie proves; nil for one of another kind.
    func session(_ cookie: SiteCookie, _ kind: Session.Kind) -> Session? {
        guard hasCookies, let value = cookie.value(among: cookies, below: site.links.base.path),
            let session = site.sessions.session(value, at: site.now), session.kind == kind
        else { return nil }
        return session
    }

    /// The session that a cookie proves, also when it ended no longer ago than that many seconds.
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

    /// The identifier of the session of a person who signed in as a tester; it may have ended.
    var testerSession: String? { current(personSession { session(.tester, .tester) })?.subject }

    /// Whether a person's session ran out that nothing else has ended, and the page is one that can be
    /// opened again: then the provider can be asked for a new session without a question.
    func mayRenew() throws -> Bool {
        // A page that a script asks for cannot be led to the provider.
        guard page != nil, fields[.secFetchDest].map({ $0 == "document" }) ?? true,
            let session = wasSession(.tester, .tester, within: Session.Kind.tester.lifetime)
        else { return false }
        return try session.expires <= site.now || site.people.hasRunOut(session.subject)
    }

    /// What the person may see who signed in; nil for no one.
    func testerRight() throws -> TesterRight? {
        try testerSession.flatMap { try site.people.knownTesterRight(in: $0) }
    }

    /// Has the provider confirm the session of a person, where that is due.
    ///
    /// - Returns: itself.
    /// - Throws: `StoreFailure`.
    func confirmed() async throws -> TesterRequest {
        if let testerSession { _ = try await site.people.testerRight(in: testerSession) }
        return self
    }

    /// The reference to the device that enrolled with this browser.
    var reference: String? { current(deviceSession { session(.device, .device) })?.subject }

    /// A session as long as it lasts: a stream of events is a request for hours.
    private func current(_ session: Session?) -> Session? {
        session.flatMap { $0.expires > site.now ? $0 : nil }
    }

    /// The session of an address that has ended, where it is the one that this browser enrolled with.
    func ended(_ value: String) -> Session? {
        let session = site.sessions.session(
            value,
            at: site.now,
            endedWithin: Session.Kind.device.lifetime,
        )
        return session?.subject == reference ? session : nil
    }

    /// The device that enrolled with this browser, as the register has it now; nil for one that was
    /// erased.
    func device() throws -> Device? {
        guard let reference else { return nil }
        return references.device(reference, in: try site.store.devices())
    }

    /// As ``device()``, and nil while the register is damaged: who may come in without a device is
    /// shown what everyone is.
    func deviceIfKnown() throws -> Device? {
        try site.store.unlessDamaged { try device() }
    }

    /// Whether the visitor is signed in to the admin's pages, by a token or at the provider, and may read
    /// everything of the app there.
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
    /// Reads `CPU iPhone OS 17_4_1 like Mac OS X`; nil where a browser says nothing of the kind.
    init?(userAgent agent: String) {
        guard let start = agent.firstRange(of: " OS ")?.upperBound,
            agent[start...].firstRange(of: " like Mac OS X") != nil
        else { return nil }
        let text = agent[start...].prefix { $0 != " " }.replacing("_", with: ".")
        self.init(String(text))
    }
}
