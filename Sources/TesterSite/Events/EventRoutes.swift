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
        let outlet = EventOutlet(context)
        // Listening starts before past events are read, so that none is missed.
        let site = site
        let end = try await site.work { try site.store.activityEnd(at: site.now) }
        guard let number = services.feed.listen(from: end, as: listener, for: audience, by: outlet)
        else {
            throw Refusal.unavailable("too many listeners")
        }
        let replies = EventReplies(to: audience, by: outlet, in: site)
        let stay = EventStay(
            of: number,
            in: services.feed,
            progress: ProgressTimer(replies, on: outlet.loop),
            endInstalls: audience.hearInstalls(of: tracker) { replies.reply(to: .install($0)) },
        )
        let place = Self.place(known: request)
        let past = EventPast(of: site.store, for: audience, at: site.now)
        let first = try await site.work { try past.first(behind: place, before: end) }
        let mark = request.uri.queryParameters["work"].map(String.init)
        let isBehind = mark != nil && mark != audience.mark
        var fields = ResponseFields.of(type: "text/event-stream; charset=utf-8", cache: "no-store")
        fields[.accelBuffering] = "no"
        let look = audience.waits ? services.look : nil
        return Response(
            status: .ok,
            headers: fields,
            body: ResponseBody { writer in
                defer { stay.end() }
                var text = "retry: 3000\n: listening\n\n"
                if isBehind { text += "event: changed\ndata: {}\n\n" }
                try await writer.write(ByteBuffer(string: text))
                var known: ActivityCursor?
                var missed = first
                while let piece = missed {
                    if !piece.text.isEmpty {
                        try await writer.write(ByteBuffer(string: piece.text))
                    }
                    known = piece.end
                    missed =
                        audience.hearsAll
                        ? try await site.work { try past.piece(behind: piece.end) } : nil
                }
                if let look { stay.progress.start(every: look) }
                await outlet.send(after: known)
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
}

extension HTTPField.Name {
    fileprivate static let lastEventID = HTTPField.Name("last-event-id") ?? .server
    fileprivate static let accelBuffering = HTTPField.Name("x-accel-buffering") ?? .server
}
