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
    /// How far back entries are searched that match a filter.
    private static let longestLook = 20_000

    let gate: AdminGate

    /// Answers `GET /admin/activity?app=&page=`.
    @Sendable func page(_ request: Request, _ context: RouteContext) async throws -> Response {
        let text = request.uri.queryParameters["app"].map { String($0) } ?? ""
        let number = request.uri.queryParameters["page"].map { Int($0) ?? 0 } ?? 1
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
                offset: offset,
                count: Self.rowsOnPage + 1,
            )
            guard number == 1 || !rows.isEmpty else { throw Refusal.notFound }
            let links = visit.links
            return ActivityPage(
                Array(rows.prefix(Self.rowsOnPage)),
                apps: try visit.apps(),
                chosen: chosen?.slug,
                pages: (
                    newer: number > 1
                        ? links.activity(of: chosen?.slug, page: number - 1) : nil,
                    older: rows.count > Self.rowsOnPage
                        ? links.activity(of: chosen?.slug, page: number + 1) : nil,
                ),
                isExported: visit.isAdmin,
                links: links,
                admin: try visit.chrome(),
            )
        }
    }

    /// The latest first.
    static func rows(
        _ visit: AdminRequest,
        of app: BundleIdentifier? = nil,
        offset: Int = 0,
        count: Int,
    ) throws -> [ActivityRow] {
        let apps = Dictionary(
            uniqueKeysWithValues: try visit.apps().map { ($0.bundleIdentifier.rawValue, $0) }
        )
        let isWhole = visit.isAdmin && app == nil
        let listing = try visit.store.activityListing(
            count: offset + count,
            mostLines: isWhole ? .max : longestLook,
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
            .filePruned:
            return ReleaseIdentifier(activity.subject).map { links.release($0, of: app.slug) }
        case .pruned:
            return nil
        default:
            return links.app(app.slug)
        }
    }
}
