import Access
import Bundles
import Foundation
import HTTPServing
import Hummingbird
import Identifiers
import Pages
import Releases
import SiteServices
import Store

/// The page of the activity log.
struct AdminActivity: Sendable {
    private static let rowsOnPage = 50
    /// The most log entries that are searched for a filter.
    private static let longestLook = 20_000

    let gate: AdminGate

    /// Answers `GET /admin/activity?app=&actor=&kind=&from=&to=&page=`.
    @Sendable func page(_ request: Request, _ context: RouteContext) async throws -> Response {
        let text = request.uri.queryParameters["app"].map { String($0) } ?? ""
        let number = request.uri.queryParameters["page"].map { Int($0) ?? 0 } ?? 1
        let filter = try Self.filter(request)
        return try await gate.page(request, context, in: .activity, require: .read) { visit in
            guard (1...1000).contains(number) else { throw Refusal.notFound }
            var chosen: AppRecord?
            if !text.isEmpty {
                guard let slug = Slug(text) else { throw Refusal.notFound }
                chosen = try visit.app(slug)
            }
            let offset = (number - 1) * Self.rowsOnPage
            let rows = try Self.rows(
                visit,
                of: chosen?.bundleIdentifier,
                matching: filter,
                offset: offset,
                count: Self.rowsOnPage + 1,
            )
            guard number == 1 || !rows.isEmpty else { throw Refusal.notFound }
            let links = visit.links
            return ActivityPage(
                Array(rows.prefix(Self.rowsOnPage)),
                apps: try visit.apps(),
                chosen: chosen?.slug,
                filter: filter,
                pages: (
                    newer: number > 1
                        ? links.activity(of: chosen?.slug, matching: filter, page: number - 1)
                        : nil,
                    older: rows.count > Self.rowsOnPage
                        ? links.activity(of: chosen?.slug, matching: filter, page: number + 1)
                        : nil,
                ),
                isExported: visit.isAdmin,
                links: links,
                admin: try visit.chrome(),
            )
        }
    }

    /// Parses the filter in the query; an empty field filters nothing.
    static func filter(_ request: Request) throws(Refusal) -> ActivityFilter {
        // Parsed as a form's fields: a plus is a space.
        let query = try? FormFields(urlEncoded: Array((request.uri.query ?? "").utf8))
        guard let query else { throw .notFound }
        func text(_ name: String) -> String? { query[name].flatMap { $0.isEmpty ? nil : $0 } }
        var filter = ActivityFilter()
        filter.actor = text("actor")
        guard (filter.actor?.utf8.count ?? 0) <= 800 else { throw .notFound }
        if let kind = text("kind") {
            guard let event = Activity.Event(rawValue: kind) else { throw .notFound }
            filter.kind = event
        }
        if let from = text("from") {
            guard let day = ActivityDay(from) else { throw .notFound }
            filter.from = day
        }
        if let to = text("to") {
            guard let day = ActivityDay(to) else { throw .notFound }
            filter.to = day
        }
        return filter
    }

    /// Returns the rows, newest first.
    static func rows(
        _ visit: AdminRequest,
        of app: BundleIdentifier? = nil,
        matching filter: ActivityFilter = ActivityFilter(),
        offset: Int = 0,
        count: Int,
    ) throws -> [ActivityRow] {
        let apps = Dictionary(
            uniqueKeysWithValues: try visit.apps().map { ($0.bundleIdentifier.rawValue, $0) }
        )
        let isWhole = visit.isAdmin && app == nil
        let listing = try visit.store.activityListing(
            count: offset + count,
            mostLines: isWhole && filter.isEmpty ? .max : longestLook,
            matching: filter,
            where: isWhole
                ? nil
                : { concerned in
                    if let app { return concerned == app.rawValue }
                    return visit.isAdmin || concerned.map { apps[$0] != nil } ?? false
                },
        )
        let found = listing.activities.dropFirst(offset).prefix(count)
        var day = ""
        return found.map { activity in
            let record = activity.app.flatMap { apps[$0] }
            let isFirst = Wording.day(activity.date) != day
            day = Wording.day(activity.date)
            return ActivityRow(
                activity,
                app: record?.title,
                url: url(of: activity, record, visit.links),
                isFirstOfDay: isFirst,
                at: visit.now,
            )
        }
    }

    private static func url(
        of activity: Activity,
        _ app: AppRecord?,
        _ links: AdminLinks,
    ) -> String? {
        guard let app else { return nil }
        switch activity.event {
        case .published, .replaced, .signedAgain, .withdrawn, .restored, .promoted, .notesChanged,
            .filePruned, .releasePinned, .releaseUnpinned, .feedbackReceived:
            return ReleaseIdentifier(activity.subject).map { links.release($0, of: app.slug) }
        case .pruned:
            return nil
        default:
            return links.app(app.slug)
        }
    }
}
