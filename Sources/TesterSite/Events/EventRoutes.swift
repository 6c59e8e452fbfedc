import Access
import Bundles
import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import Identifiers
import NIOCore
import Releases
import SiteServices
import Store

/// Streams events to pages: `text/event-stream` (WHATWG HTML, server-sent events).
struct EventRoutes: Sendable {
    /// Lines of what happened while a listener was away that are read at once.
    private static let piece = 200
    /// Steps that a listener who takes nothing may be behind; they come back with the place they know.
    private static let longestQueue = 256
    /// Lines that are read for a tester's page that comes back, and how old they may be; a page
    /// that was away for longer receives one event that something has changed.
    private static let mostMissed = 400
    private static let longestAway: TimeInterval = 86_400

    let site: Site
    let services: EventServices
    let tracker: InstallTracker
    let references: DeviceReferences
    let progress: ProgressReader

    /// Answers `GET /events?app={slug}` for testers: that something about the app or their own device
    /// changed, `GET /events?device=own&for={slug}` for a device that has just enrolled: how far it
    /// has come, and `GET /events` for admins: everything.
    ///
    /// A page that comes to listen says with `after` up to where it knows; one that comes back says
    /// it with `Last-Event-ID`.
    @Sendable func events(_ request: Request, _ context: RouteContext) async throws -> Response {
        let (audience, listener) = try await audience(request, context)
        // Listening begins before the past is read, so that nothing falls between.
        let site = site
        let end = try await site.work { try site.store.activityEnd(at: site.now) }
        guard let live = services.feed.listen(from: end, as: listener) else {
            throw Refusal.unavailable("too many listeners")
        }
        let installs = audience.installs(tracker)
        let first = try await missed(behind: Self.place(known: request))
        let mark = request.uri.queryParameters["work"].map(String.init)
        let isBehind = mark != nil && mark != audience.mark
        var fields = ResponseFields.of(type: "text/event-stream; charset=utf-8", cache: "no-store")
        fields[.accelBuffering] = "no"
        return Response(
            status: .ok,
            headers: fields,
            body: ResponseBody { writer in
                try await writer.write(ByteBuffer(string: "retry: 3000\n: listening\n\n"))
                if isBehind {
                    try await writer.write(ByteBuffer(string: "event: changed\ndata: {}\n\n"))
                }
                var lastSent: ActivityCursor?
                if !audience.hearsAll, let first, first.count > 0 {
                    if try await self.hasNews(first, for: audience) {
                        try await writer.write(
                            ByteBuffer(string: "id: \(end)\nevent: changed\ndata: {}\n\n")
                        )
                    }
                    lastSent = end
                }
                var missed = audience.hearsAll ? first : nil
                while let past = missed, past.count > 0 {
                    for event in past.found.map(EventFeed.Event.init) {
                        if let text = try await audience.text(of: event, isMissed: true) {
                            try await writer.write(ByteBuffer(string: text))
                        }
                    }
                    lastSent = past.end
                    missed = try await self.missed(behind: past.end)
                }
                let steps = Self.steps(
                    live,
                    installs,
                    beat: services.beat,
                    look: audience.waits ? services.look : nil,
                )
                for await step in steps {
                    if case .look = step {
                        if let text = try await audience.look() {
                            try await writer.write(ByteBuffer(string: text))
                        }
                        continue
                    }
                    if let farewell = try await Self.farewell(to: audience, behind: step) {
                        try await writer.write(ByteBuffer(string: farewell))
                        break
                    }
                    switch step {
                    case .look: continue
                    case .beat: try await writer.write(ByteBuffer(string: ": still here\n\n"))
                    case .install(let news):
                        try await writer.write(ByteBuffer(string: news.eventText))
                    case .event(let event):
                        if let last = lastSent, event.cursor.isNotAfter(last) { continue }
                        lastSent = nil
                        guard let text = try await audience.text(of: event) else { continue }
                        try await writer.write(ByteBuffer(string: text))
                    }
                }
                try await writer.finish(nil)
            },
        )
    }

    private func audience(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> (any EventAudience, EventListener) {
        let signIn = SignIn(site: site)
        if request.uri.queryParameters["device"] != nil {
            let visit = TesterRequest(request, in: site, references)
            let (site, progress) = (site, progress)
            let slug = request.uri.queryParameters["for"].map(String.init)
            let audience = try await site.work {
                try EnrolledAudience(visit, slug.flatMap { Slug($0) }, progress, in: site)
            }
            let address = signIn.address(request, context)
            return (audience, EventListener.page(from: address, of: visit.reference))
        }
        guard let name = request.uri.queryParameters["app"] else {
            guard request.headers[.authorization] == nil else {
                let principal = try await signIn.bearer(request, context)
                return (try AdminAudience(principal, nil, in: site), .admin)
            }
            let admin = try await signIn.admin(request)
            return (try AdminAudience(admin.principal, admin.session, in: site), .admin)
        }
        let visit = TesterRequest(request, in: site, references)
        let address = signIn.address(request, context)
        let listener = EventListener.page(from: address, of: visit.reference)
        let (site, progress) = (site, progress)
        return try await site.work {
            guard let slug = Slug(String(name)), let app = try site.store.app(slug: slug) else {
                throw Refusal.notFound
            }
            return (try TesterAudience(of: app, visit, progress, in: site), listener)
        }
    }

    /// The position up to which the listener has received events; nil if the request names none.
    private static func place(known request: Request) -> ActivityCursor? {
        let known =
            request.headers[.lastEventID] ?? request.uri.queryParameters["after"].map(String.init)
        return known.flatMap { ActivityCursor($0) }
    }

    private func missed(behind place: ActivityCursor?) async throws -> FollowedActivity? {
        guard let place else { return nil }
        let store = site.store
        return try await site.work { try store.follow(from: place, count: Self.piece) }
    }

    /// Whether a tester's page has missed anything; the work for it is bounded, wherever it says that
    /// it was.
    private func hasNews(
        _ first: FollowedActivity,
        for audience: any EventAudience,
    ) async throws -> Bool {
        var past = first
        var count = 0
        while past.count > 0 {
            count += past.count
            for line in past.found {
                let age = site.now.timeIntervalSince(line.activity.date)
                if age > Self.longestAway { return true }
                let event = EventFeed.Event(line)
                if try await audience.text(of: event, isMissed: true) != nil { return true }
            }
            if count >= Self.mostMissed { return true }
            guard let next = try await missed(behind: past.end) else { return false }
            past = next
        }
        return false
    }

    /// What the stream ends with; nil while the listener has its access.
    private static func farewell(
        to audience: any EventAudience,
        behind step: Step,
    ) async throws -> String? {
        if case .event(let event) = step, event.activity.event.mayEndRights {
            // What the store knows of the right may be older than the line of the journal.
            try await event.settle()
        }
        return try await audience.farewell()
    }

    private enum Step: Sendable {
        case event(EventFeed.Event)
        case install(InstallTracker.News)
        case beat
        /// It is time to look at what no event tells.
        case look
    }

    /// The events, and a beat now and then by which both sides know that the other is there.
    private static func steps(
        _ events: AsyncStream<EventFeed.Event>,
        _ installs: AsyncStream<InstallTracker.News>?,
        beat: Duration,
        look: Duration?,
    ) -> AsyncStream<Step> {
        AsyncStream(bufferingPolicy: .bufferingOldest(longestQueue)) { continuation in
            let following = Task {
                for await event in events {
                    if case .dropped = continuation.yield(.event(event)) { break }
                }
                continuation.finish()
            }
            let installing = installs.map { installs in
                Task { for await news in installs { continuation.yield(.install(news)) } }
            }
            let beating = Task {
                while !Task.isCancelled {
                    try? await Task.sleep(for: beat)
                    continuation.yield(.beat)
                }
            }
            let looking = look.map { look in
                Task {
                    while !Task.isCancelled {
                        try? await Task.sleep(for: look)
                        continuation.yield(.look)
                    }
                }
            }
            continuation.onTermination = { _ in
                looking?.cancel()
                following.cancel()
                installing?.cancel()
                beating.cancel()
            }
        }
    }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = HTTPField.Name("last-event-id") ?? .server
    fileprivate static let accelBuffering = HTTPField.Name("x-accel-buffering") ?? .server
}
