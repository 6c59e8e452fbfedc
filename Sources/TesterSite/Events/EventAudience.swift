import Access
import Bundles
import Foundation
import Identifiers
import Pages
import Releases
import SiteServices
import Store
import Synchronization

/// The listener of an event stream, which decides which events it may receive.
///
/// Methods that throw read the store, and may block on the disk.
protocol EventAudience: Sendable {
    /// Returns the last event of a stream whose listener no longer has the access that it started with;
    /// nil while it has.
    func farewell() throws -> String?

    /// What ``farewell()`` depends on, if others may have the same; nil for an audience of its own.
    var access: String? { get }

    /// Returns the event as text of the stream; nil for an event that the listener must not receive.
    func text(of event: EventFeed.Event, isMissed: Bool) throws -> String?

    /// Whether it receives every event that it missed; others receive only that something has changed.
    var hearsAll: Bool { get }

    /// Whether it has a device whose progress also changes without an event in the journal.
    var waits: Bool { get }

    /// The value of the page's `work` parameter if nothing has changed since the page was rendered; nil
    /// if only events in the journal matter.
    var mark: String? { get }

    /// Returns the text for a change that no event reports; nil if there is none.
    func look() throws -> String?

    /// The language of its progress messages.
    var words: Words { get }
    /// Passes news of the listener's own installs to `hear` until the returned closure is called; returns
    /// nil if there are none.
    func hearInstalls(
        of tracker: InstallTracker,
        _ hear: @escaping @Sendable (InstallTracker.News) -> Void,
    ) -> (@Sendable () -> Void)?
}

extension EventAudience {
    func text(of event: EventFeed.Event) throws -> String? {
        try text(of: event, isMissed: false)
    }

    func hearInstalls(
        of tracker: InstallTracker,
        _ hear: @escaping @Sendable (InstallTracker.News) -> Void,
    ) -> (@Sendable () -> Void)? { nil }

    var access: String? { nil }
    var waits: Bool { false }
    var words: Words { .english }

    var mark: String? { nil }

    func look() throws -> String? { nil }
}

struct AdminAudience: EventAudience {
    private let site: Site
    /// Nil for a person's session.
    private let token: String?
    /// Nil for a request that has the token itself.
    private let session: Session?
    let access: String?

    /// - Throws: ``Refusal/notAllowed`` for a user who is not an admin of everything.
    init(_ principal: Principal, _ session: Session?, in site: Site) throws(Refusal) {
        try SignIn.require(principal, .admin)
        guard principal.token != nil || session?.kind == .person else { throw .notAllowed }
        self.site = site
        token = principal.token
        self.session = session
        access = "\(principal.token ?? "") \(session.map { "\($0)" } ?? "")"
    }

    /// Returns an event with the reason, which the page shows.
    func farewell() throws -> String? {
        try reason().map { "event: ended\ndata: {\"reason\":\"\($0)\"}\n\n" }
    }

    /// Returns why access has ended, in a sentence that needs no escaping; nil while there is access.
    private func reason() throws -> String? {
        guard let token else {
            let principal = try session.flatMap { try site.people.knownPrincipal(of: $0) }
            return principal?.may(.admin) ?? false ? nil : Self.ended
        }
        guard try reason(for: token, in: site.store.tokens()) != nil else { return nil }
        // The register that is known may be older than the token.
        return try reason(for: token, in: site.store.currentTokens())
    }

    private static let ended = "You are signed out."

    private func reason(for token: String, in tokens: TokenRegister) throws -> String? {
        let now = site.now
        do {
            let principal =
                try session.map { session throws(TokenRefusal) in
                    try tokens.principal(of: session, at: now)
                } ?? tokens.principal(ofToken: token, at: now)
            return principal.may(.admin) ? nil : Self.ended
        } catch let refusal as TokenRefusal {
            return switch refusal {
            case .revoked: "The token that you signed in with was revoked."
            case .expired: "The token that you signed in with has expired."
            default: Self.ended
            }
        }
    }

    var hearsAll: Bool { true }

    func text(of event: EventFeed.Event, isMissed: Bool) -> String? {
        guard let json = try? WireJSON.data(event.activity) else { return nil }
        let data = String(decoding: json, as: UTF8.self)
        return "id: \(event.cursor)\nevent: activity\ndata: \(data)\n\n"
    }
}

/// A visitor with a page of an app open, who receives only that something has changed; the page then
/// loads the details.
final class TesterAudience: EventAudience {
    private let app: BundleIdentifier
    private let visit: TesterRequest
    private let site: Site
    /// The visitor's device as of the last event.
    private let device: Mutex<Device?>
    /// The reference to the device.
    private let reference: String?
    private let watch: ProgressWatch

    /// - Throws: ``Refusal/notFound`` for a visitor without access, unless their device waits for
    ///   approval: it receives only events about that.
    init(
        of app: AppRecord,
        _ visit: TesterRequest,
        _ progress: ProgressReader,
        in site: Site,
    ) throws {
        self.app = app.bundleIdentifier
        self.visit = visit
        self.site = site
        switch try visit.entry(to: app) {
        case .granted(let visitor): device = Mutex(visitor.device)
        case .enrolment(let device?): self.device = Mutex(device)
        case .enrolment(nil), .passphrase, .signIn, .hidden: throw Refusal.notFound
        }
        reference = device.withLock { $0.map { site.sessions.reference(to: $0.udid) } }
        let name = app.bundleIdentifier
        watch = ProgressWatch(progress) { device in
            guard let app = try site.store.app(name) else { return nil }
            return try progress.progress(of: device, toAllOf: app)
        }
        try watch.start(with: device.withLock(\.self))
    }

    /// Visitors without a cookie have the same access to an app.
    var access: String? { visit.hasCookies ? nil : "visitor \(app.rawValue)" }
    var waits: Bool { reference != nil }
    var words: Words { visit.words }
    var mark: String? { watch.mark }

    func look() throws -> String? {
        // A damaged register is not a change.
        guard let device = try visit.deviceIfKnown(), try watch.isChanged(for: device) else {
            return nil
        }
        return "event: changed\ndata: {}\n\n"
    }

    /// Makes the page render again, with the visitor's current access.
    func farewell() throws -> String? {
        try isWelcome() ? nil : "event: changed\ndata: {}\n\n"
    }

    /// Returns whether the visitor still has access; after its device was erased, a browser counts as
    /// unknown, even for apps with open access.
    private func isWelcome() throws -> Bool {
        guard let app = try site.store.app(app) else { return false }
        // The reloaded page asks the provider.
        if let session = visit.testerSession, try site.people.isWaiting(session) { return false }
        switch try visit.entry(to: app) {
        case .granted(let visitor): return visitor.device != nil || reference == nil
        case .enrolment(let device): return device != nil
        case .passphrase, .signIn, .hidden: return false
        }
    }

    /// The first event makes the page render again, so one is enough.
    var hearsAll: Bool { false }

    func text(of event: EventFeed.Event, isMissed: Bool) throws -> String? {
        let activity = event.activity
        let isTold: Bool
        if activity.app == app.rawValue, activity.event.isOfReleases {
            let mayKnow = try mayKnow(of: activity)
            isTold = mayKnow || activity.event == .appChanged
        } else if reference != nil, activity.event.isOfDevices {
            let isChanged = try isDeviceChanged()
            isTold = isChanged || isMissed
        } else {
            isTold = false
        }
        return isTold ? "id: \(event.cursor)\nevent: changed\ndata: {}\n\n" : nil
    }

    func hearInstalls(
        of tracker: InstallTracker,
        _ hear: @escaping @Sendable (InstallTracker.News) -> Void,
    ) -> (@Sendable () -> Void)? {
        reference.map { tracker.listen(device: $0, app: app, hear) }
    }

    /// Returns whether the visitor may learn of an activity: they may have lost access while the page was
    /// open, and must not learn of a release in a channel that is closed to them.
    private func mayKnow(of activity: Activity) throws -> Bool {
        guard let app = try site.store.app(app),
            case .granted(let visitor) = try visit.entry(to: app)
        else { return false }
        if app.admitsToAll(visitor) { return true }
        if activity.event == .channelEnded {
            return ChannelName(activity.subject).map { app.admits(visitor, to: $0) } ?? false
        }
        guard let identifier = ReleaseIdentifier(activity.subject),
            let release = try site.store.release(identifier, of: app.bundleIdentifier)
        else { return false }
        return app.admits(visitor, to: release)
    }

    /// The journal does not identify devices, so the register shows whether it was this one.
    private func isDeviceChanged() throws -> Bool {
        let now = try visit.device()
        return device.withLock { before in
            defer { before = now }
            return before != now
        }
    }
}

extension InstallTracker.News {
    /// Returns the event's text, without an `id`: progress is momentary, and is not resumed.
    func eventText(in words: Words) -> String {
        switch self {
        case .changed: "event: changed\ndata: {}\n\n"
        case .progress(let fetched, let size):
            "event: progress\ndata: \(DownloadProgress(fetched: fetched, of: size, in: words).json)\n\n"
        }
    }
}

extension Activity.Event {
    var isOfReleases: Bool {
        switch self {
        case .published, .replaced, .signedAgain, .withdrawn, .restored, .promoted, .pruned,
            .channelEnded, .appChanged:
            true
        default: false
        }
    }

    var isOfDevices: Bool {
        switch self {
        case .deviceAdded, .deviceRemoved, .deviceRenamed, .deviceAssigned, .devicesImported,
            .deviceEnrolled,
            .deviceApproved, .groupJoined, .groupLeft, .groupDeleted, .approvalRefused,
            .deviceRegistered, .accountDeviceChanged,
            .accountDiffers, .accountBlocked:
            true
        default: false
        }
    }
}
