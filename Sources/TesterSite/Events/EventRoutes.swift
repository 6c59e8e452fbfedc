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
        // A browser that listens never stops sending before it closes the connection, so the end of its
        // input ends the stream at once, and not only when the next keep-alive comment cannot be sent.
        let channel = context.channel
        InputEndWatch.watch(channel) { live.adding.finish() }
        let place = Self.place(known: request)
        let past = EventPast(of: site.store, for: audience, at: site.now)
        // What is read here has no part in the frame of the task that waits below, of which there is one for
        // each listener.
        let first = try await site.work { try past.first(behind: place, before: end) }
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
                var missed = first
                while let piece = missed {
                    if !piece.text.isEmpty {
                        try await writer.write(ByteBuffer(string: piece.text))
                    }
                    lastSent = piece.end
                    missed =
                        audience.hearsAll
                        ? try await site.work { try past.piece(behind: piece.end) } : nil
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
                // The connection may carry further requests, and must not retain this one's listener.
                InputEndWatch.watch(channel) {}
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
