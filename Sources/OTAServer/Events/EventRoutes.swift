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
    private static let heartbeat = Duration.seconds(20)
    /// What happened while a listener was away, and is told when they come back.
    private static let longestAbsence = 200

    let site: Site

    /// Answers `GET /events?app={slug}` for testers: that something about an open app changed, and
    /// `GET /events` for admins: everything.
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
                    if let text = audience.text(of: event) {
                        try await writer.write(ByteBuffer(string: text))
                    }
                }
                for await step in Self.beating(live) {
                    switch step {
                    case .beat: try await writer.write(ByteBuffer(string: ": still here\n\n"))
                    case .event(let event):
                        if let last = told, event.cursor.isNotAfter(last) { continue }
                        told = nil
                        guard let text = audience.text(of: event) else { continue }
                        try await writer.write(ByteBuffer(string: text))
                    }
                }
                try await writer.finish(nil)
            },
        )
    }

    private func audience(_ request: Request, _ context: RouteContext) async throws -> Audience {
        guard let name = request.uri.queryParameters["app"] else {
            let principal = try await SignIn(site: site).principal(request, context)
            try SignIn.require(principal, .admin)
            return .admin
        }
        let store = site.store
        let app = try await site.work { try Slug(String(name)).flatMap { try store.app(slug: $0) } }
        guard let app else { throw Refusal.notFound }
        return .testers(of: app.bundleIdentifier)
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

    private enum Step: Sendable {
        case event(EventFeed.Event)
        case beat
    }

    /// The events, and a beat now and then by which both sides know that the other is there.
    private static func beating(_ events: AsyncStream<EventFeed.Event>) -> AsyncStream<Step> {
        AsyncStream { continuation in
            let following = Task {
                for await event in events { continuation.yield(.event(event)) }
                continuation.finish()
            }
            let beating = Task {
                while !Task.isCancelled {
                    try? await Task.sleep(for: heartbeat)
                    continuation.yield(.beat)
                }
            }
            continuation.onTermination = { _ in
                following.cancel()
                beating.cancel()
            }
        }
    }
}

/// Who listens, and so what they may know.
private enum Audience {
    case testers(of: BundleIdentifier)
    case admin

    /// The event as it goes over the wire; nil for what this audience is not told.
    func text(of event: EventFeed.Event) -> String? {
        switch self {
        case .testers(let app):
            guard event.activity.app == app.rawValue, event.activity.event.isOfReleases else {
                return nil
            }
            // That something changed is all that testers need: the page says what.
            return "id: \(event.cursor)\nevent: changed\ndata: {}\n\n"
        case .admin:
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .iso8601
            encoder.outputFormatting = [.sortedKeys]
            guard let json = try? encoder.encode(event.activity) else { return nil }
            let data = String(decoding: json, as: UTF8.self)
            return "id: \(event.cursor)\nevent: activity\ndata: \(data)\n\n"
        }
    }
}

extension Activity.Event {
    fileprivate var isOfReleases: Bool {
        switch self {
        case .published, .replaced, .withdrawn, .restored, .promoted, .pruned, .notesChanged,
            .appChanged:
            true
        default: false
        }
    }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = HTTPField.Name("last-event-id") ?? .server
    fileprivate static let accelBuffering = HTTPField.Name("x-accel-buffering") ?? .server
}
