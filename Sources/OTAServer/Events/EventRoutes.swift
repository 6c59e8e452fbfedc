import Access
import Bundles
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Releases
import Store

/// What happens, as it happens: `text/event-stream` (WHATWG HTML, server-sent events).
struct EventRoutes: Sendable {
    /// What happened while a listener was away, and is told when they come back.
    private static let longestAbsence = 200

    let site: Site

    /// Answers `GET /events?app={slug}` for testers: that something about the app or their own device
    /// changed, and `GET /events` for admins: everything.
    ///
    /// A page that comes to listen says with `after` up to where it knows; one that comes back says
    /// it with `Last-Event-ID`.
    @Sendable func events(_ request: Request, _ context: RouteContext) async throws -> Response {
        let audience = try await audience(request, context)
        // Listening begins before the past is read, so that nothing falls between.
        let site = site
        let end = try await site.work { try site.store.activityEnd(at: site.now) }
        guard let live = site.feed.listen(from: end) else {
            throw Refusal.unavailable("too many listeners")
        }
        let installs = audience.installs(site.tracker)
        let missed = try await missed(request)
        var fields = ResponseFields.of(type: "text/event-stream; charset=utf-8", cache: "no-store")
        fields[.accelBuffering] = "no"
        return Response(
            status: .ok,
            headers: fields,
            body: ResponseBody { writer in
                try await writer.write(ByteBuffer(string: "retry: 3000\n: listening\n\n"))
                var told = missed.last?.cursor
                for event in missed {
                    if let text = try await audience.text(of: event, isMissed: true) {
                        try await writer.write(ByteBuffer(string: text))
                    }
                }
                for await step in Self.steps(live, installs, every: site.eventBeat) {
                    guard try await Self.isWelcome(audience, behind: step) else {
                        if let farewell = audience.farewell {
                            try await writer.write(ByteBuffer(string: farewell))
                        }
                        break
                    }
                    switch step {
                    case .beat: try await writer.write(ByteBuffer(string: ": still here\n\n"))
                    case .install(let news):
                        try await writer.write(ByteBuffer(string: news.eventText))
                    case .event(let event):
                        if let last = told, event.cursor.isNotAfter(last) { continue }
                        told = nil
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
    ) async throws -> any EventAudience {
        guard let name = request.uri.queryParameters["app"] else {
            let signIn = SignIn(site: site)
            guard request.headers[.authorization] == nil else {
                return try AdminAudience(await signIn.bearer(request, context), nil, in: site)
            }
            let admin = try await signIn.admin(request)
            return try AdminAudience(admin.principal, admin.session, in: site)
        }
        let visit = Visit(request, in: site)
        let site = site
        return try await site.work {
            guard let slug = Slug(String(name)), let app = try site.store.app(slug: slug) else {
                throw Refusal.notFound
            }
            return try TesterAudience(of: app, visit, in: site)
        }
    }

    private func missed(_ request: Request) async throws -> [EventFeed.Event] {
        let known =
            request.headers[.lastEventID] ?? request.uri.queryParameters["after"].map(String.init)
        guard let cursor = known.flatMap({ ActivityCursor($0) }) else { return [] }
        let store = site.store
        return try await site.work {
            try store.activity(after: cursor, count: Self.longestAbsence)
                .map { EventFeed.Event(activity: $0.activity, cursor: $0.cursor) }
        }
    }

    /// Longer than the store takes something for known without looking again.
    static let settling = Duration.milliseconds(300)

    private static func isWelcome(
        _ audience: any EventAudience,
        behind step: Step,
    ) async throws -> Bool {
        if case .event(let event) = step, event.activity.event.mayEndRights {
            // What the store knows of the right may be older than the line of the journal.
            try await Task.sleep(for: settling)
        }
        return try await audience.isWelcome()
    }

    private enum Step: Sendable {
        case event(EventFeed.Event)
        case install(InstallTracker.News)
        case beat
    }

    /// The events, and a beat now and then by which both sides know that the other is there.
    private static func steps(
        _ events: AsyncStream<EventFeed.Event>,
        _ installs: AsyncStream<InstallTracker.News>?,
        every beat: Duration,
    ) -> AsyncStream<Step> {
        AsyncStream { continuation in
            let following = Task {
                for await event in events { continuation.yield(.event(event)) }
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
            continuation.onTermination = { _ in
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
