import Access
import Administration
import Foundation
import HTTPServing
import Hummingbird
import Identifiers
import Pages
import Releases
import SiteServices
import Store

/// The search field in the header, which finds apps, releases, devices, mirrors and builds.
///
/// The cost does not grow with time: only the newest releases and builds are searched, and the apps and
/// devices in memory.
struct AdminSearch: Sendable {
    let gate: AdminGate

    /// Answers `POST /admin/search`; a UDID leads to its device, and appears in no URL.
    @Sendable func find(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.action(request, context, in: nil, require: .read) { visit, form in
            let query = Self.trimmed(form["search"] ?? "")
            if visit.isAdmin, let udid = DeviceUDID(query) {
                guard let device = try visit.store.devices()[udid] else {
                    return .again(try Self.unregistered(visit), .ok)
                }
                return .elsewhere(visit.url(of: device))
            }
            return .elsewhere(
                query.isEmpty ? visit.links.search : visit.links.search(query)
            )
        }
    }

    /// Answers `GET /admin/search?q=`.
    @Sendable func page(_ request: Request, _ context: RouteContext) async throws -> Response {
        let text = request.uri.queryParameters["q"].map { Self.trimmed(String($0)) } ?? ""
        return try await gate.page(request, context, in: nil, require: .read) { visit in
            if visit.isAdmin, let udid = DeviceUDID(text), try visit.store.devices()[udid] == nil {
                return try Self.unregistered(visit)
            }
            let query = text.isEmpty ? nil : text
            return SearchPage(
                query,
                sections: try query.map { try Self.sections($0, visit) } ?? [],
                scope: Self.scope(visit),
                admin: try visit.chrome(),
            )
        }
    }

    /// Returns the page for a complete UDID that no device has; the page does not repeat it.
    private static func unregistered(_ visit: AdminRequest) throws -> SearchPage {
        SearchPage(
            unregisteredAt: visit.links.addDevice,
            scope: scope(visit),
            admin: try visit.chrome(),
        )
    }

    private static func trimmed(_ text: String) -> String {
        // A single visible character may have any number of code points.
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(SearchPage.limit)))
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func sections(
        _ query: String,
        _ visit: AdminRequest,
    ) throws -> [SearchPage.Section] {
        let apps = try visit.apps()
        var sections = [
            found(query, among: apps, visit.links),
            SearchPage.Section("Releases", try ReleaseSearch(query, apps, visit).rows()),
        ]
        guard visit.isAdmin else { return sections }
        if let devices = try visit.store.unlessDamaged({ try found(devices: query, visit) }) {
            sections.append(devices)
        }
        return sections + (try MirrorSearch(query, visit).sections())
    }

    private static func found(
        _ text: String,
        among apps: [AppRecord],
        _ links: AdminLinks,
    ) -> SearchPage.Section {
        let active = AppsQuery(search: text)
        let archived = AppsQuery(search: text, isArchive: true)
        let inUse = apps.filter(active.matches)
        let query = inUse.isEmpty ? archived : active
        let found = inUse.isEmpty ? apps.filter(archived.matches) : inUse
        return SearchPage.Section(
            "Apps",
            found.prefix(SearchPage.length).map {
                SearchPage.Row(
                    $0.title,
                    $0.bundleIdentifier.rawValue + ($0.isArchived ? ", archived" : ""),
                    url: links.app($0.slug),
                )
            },
            total: found.count,
            allURL: links.apps(query),
        )
    }

    private static func found(
        devices text: String,
        _ visit: AdminRequest,
    ) throws -> SearchPage.Section {
        let index = try visit.deviceIndex()
        let active = DeviceQuery(search: text)
        let disabled = DeviceQuery(show: .disabled, search: text)
        let found = index.find(active)
        let query = found.places.isEmpty ? disabled : active
        let places = found.places.isEmpty ? index.find(disabled).places : found.places
        return SearchPage.Section(
            "Devices",
            places.prefix(SearchPage.length).map { place in
                SearchPage.Row(index.devices[place], url: visit.url(of: index.devices[place]))
            },
            total: places.count,
            allURL: visit.links.devices(query) + "#register",
        )
    }

    private static func scope(_ visit: AdminRequest) -> [String] {
        let releases =
            "Apps are searched by title, bundle identifier and URL name; releases by version, build "
            + "and the first 7 or more digits of the commit. A version alone is searched in the "
            + "\(NewestRelease.usualCount) highest versions of each app, a commit in the "
            + "\(ReleaseSearch.mostRead) newest releases."
        guard visit.isAdmin else { return [releases] }
        return [
            releases,
            "Devices are searched by name, model, team and group, or by complete identifier. "
                + "In each mirror, the \(MirrorSearch.mostBuilds) newest builds are searched.",
        ]
    }
}
