import Access
import Bundles
import Foundation
import HTTPServing
import Hummingbird
import Identifiers
import Notices
import Pages
import Releases
import SiteServices
import Store

/// The page of profiles and certificates, for readers of the apps that depend on them.
struct AdminDeadlines {
    let visit: AdminRequest
    let apps: [BundleIdentifier: AppRecord]

    /// Seconds ahead that count as a deadline; later expirations are those of authorities.
    private static let horizon: TimeInterval = 400 * 86_400

    /// Returns the next deadlines of what is in use.
    func next(of timeline: ExpiryTimeline, _ count: Int) -> [Deadline] {
        timeline.due(within: Self.horizon, of: visit.now)
            .filter { isSeen($0) && $0.kind != .invitation }
            .prefix(count).map { item in
                let titles = item.apps.compactMap { apps[$0]?.title }
                return Deadline(
                    name: item.name,
                    detail: item.kind.title.prefix(1).uppercased() + item.kind.title.dropFirst()
                        + (titles.isEmpty ? "" : " of " + titles.joined(separator: ", ")),
                    expires: item.expires,
                    at: visit.now,
                )
            }
    }

    /// Returns everything that builds depend on, with the bundles that do.
    func entries(of timeline: ExpiryTimeline) throws -> [ProfilesPage.Entry] {
        let kinds = try visit.store.profiles().profiles.mapValues(\.type.title)
        return timeline.items.filter(isSeen).compactMap { item in
            let kind: String
            switch item.kind {
            case .profile: kind = (kinds[item.identifier].map { $0 + " " } ?? "") + "profile"
            case .certificate: kind = "certificate"
            case .serverCertificate: kind = "server’s certificate"
            case .token, .invitation: return nil
            }
            let places = item.places.filter { apps[$0.app] != nil }
            let first = places.prefix(ProfilesPage.Entry.mostUses)
            return ProfilesPage.Entry(
                name: item.name,
                kind: kind.prefix(1).uppercased() + kind.dropFirst(),
                team: item.team,
                begins: item.begins,
                expires: item.expires,
                uses: first.map(use),
                moreUses: places.count - first.count,
                isInUse: item.isInUse,
            )
        }
    }

    private func use(_ place: ExpiringItem.Place) -> ProfilesPage.Use {
        let app = apps[place.app]
        let channels = place.channels.map(\.rawValue).joined(separator: ", ")
        return ProfilesPage.Use(
            title: "\(app?.title ?? place.app.rawValue) \(place.release.words)"
                + (channels.isEmpty ? "" : " on \(channels)"),
            bundle: place.bundle,
            url: app.map { visit.links.release(place.release, of: $0.slug) },
        )
    }

    private func isSeen(_ item: ExpiringItem) -> Bool {
        visit.isAdmin || item.places.contains { apps[$0.app] != nil }
    }
}

extension AdminOverview {
    /// Answers `GET /admin/profiles`.
    @Sendable func profiles(_ request: Request, _ context: RouteContext) async throws -> Response {
        let number = try request.pageNumber
        return try await gate.page(request, context, in: .profiles, require: .read) { visit in
            let apps = Dictionary(
                uniqueKeysWithValues: try visit.apps().map { ($0.bundleIdentifier, $0) }
            )
            let timeline = try ExpiryTimeline(of: visit.store, at: visit.now)
            let entries = try AdminDeadlines(visit: visit, apps: apps).entries(of: timeline)
            let pages = max(0, entries.count { $0.isInUse } - 1) / ProfilesPage.length + 1
            guard number <= pages else { throw Refusal.notFound }
            return ProfilesPage(
                entries,
                page: number,
                at: visit.now,
                admin: try visit.chrome(),
                url: { "\(visit.links.profiles)?page=\($0)" },
            )
        }
    }
}
