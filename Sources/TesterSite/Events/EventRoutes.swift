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
    /// The most journal lines read at once of what a listener missed.
    private static let piece = 200
    /// The most journal lines read for a tester's page that reconnects, and their greatest age in seconds; a
    /// page that was away for longer receives one event that something has changed.
    private static let mostMissed = 400
    private static let longestAway: TimeInterval = 86_400

    let site: Site
    let services: EventServices
    let tracker: InstallTracker
    let references: DeviceReferences
    let progress: ProgressReader

    /// Answers `GET /events?app={slug}` for testers, with changes of the app or their own device; `GET
    /// /events?device=own&for={slug}` for a device that has just enrolled, with its progress; and `GET
    /// /events` for admins, with everything.
    ///
    /// A new page names the position up to which it knows everything in `after`; one that reconnects does
    /// so in `Last-Event-ID`.
    @Sendable func events(_ request: Request, _ context: RouteContext) async throws -> Response {
        let (audience, listener) = try await audience(request, context)
        // Listening starts before past events are read, so that none is missed.
        let site = site
        let end = try await site.work { try site.store.activityEnd(at: site.now) }
        guard let live = services.feed.listen(from: end, as: listener, for: audience) else {
            throw Refusal.unavailable("too many listeners")
        }
        let timers = EventTimers(live.adding, on: context.channel.eventLoop)
        let (feed, number) = (services.feed, live.number)
        let endInstalls = audience.hearInstalls(of: tracker) { live.adding.yield(.install($0)) }
        live.adding.onTermination = { _ in
            feed.leave(number)
            endInstalls?()
            timers.stop()
        }
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
                    let texts = try await site.work {
                        try past.found.compactMap {
                            try audience.text(of: EventFeed.Event($0), isMissed: true)
                        }
                    }
                    for text in texts { try await writer.write(ByteBuffer(string: text)) }
                    lastSent = past.end
                    missed = try await self.missed(behind: past.end)
                }
                timers.start(
                    beat: services.beat,
                    look: audience.waits ? services.look : nil,
                )
                steps: for await step in live.steps {
                    switch step {
                    case .news(let news):
                        if let known = lastSent, news.cursor?.isNotAfter(known) == true { continue }
                        try await writer.write(news.bytes)
                        if news.cursor == nil { break steps }
                    case .install, .beat, .look:
                        let reply = try await site.work { try Reply(to: step, for: audience) }
                        if let text = reply.text {
                            try await writer.write(ByteBuffer(string: text))
                        }
                        if reply.isLast { break steps }
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
        let visit = try await TesterRequest(request, in: site, references).confirmed()
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

    /// Returns the position up to which the listener has received events; nil if the request names none.
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

    /// Returns whether a tester's page has missed anything; the work is bounded, whatever position it
    /// names.
    private func hasNews(
        _ first: FollowedActivity,
        for audience: any EventAudience,
    ) async throws -> Bool {
        var past = first
        var count = 0
        while past.count > 0 {
            count += past.count
            let found = past.found
            let hasNews = try await site.work { () throws -> Bool in
                try found.contains { line in
                    let age = site.now.timeIntervalSince(line.activity.date)
                    return try age > Self.longestAway
                        || audience.text(of: EventFeed.Event(line), isMissed: true) != nil
                }
            }
            if hasNews { return true }
            if count >= Self.mostMissed { return true }
            guard let next = try await missed(behind: past.end) else { return false }
            past = next
        }
        return false
    }

    /// What is sent because of a step that is no event; read from the store.
    private struct Reply: Sendable {
        var text: String?
        /// Whether the listener's access has ended, and the stream ends with this text.
        var isLast = false

        init(to step: EventFeed.Step, for audience: any EventAudience) throws {
            if case .look = step {
                text = try audience.look()
            } else if let farewell = try audience.farewell() {
                text = farewell
                isLast = true
            } else if case .install(let news) = step {
                text = news.eventText(in: audience.words)
            } else {
                text = ": still here\n\n"
            }
        }
    }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = HTTPField.Name("last-event-id") ?? .server
    fileprivate static let accelBuffering = HTTPField.Name("x-accel-buffering") ?? .server
}
