import Identifiers
import Inspection
import Pages
import Releases
import SiteServices
import Store

extension AdminRelease {
    /// Builds in the picture of sizes, and to compare with.
    private static let shownBuilds = 20
    /// Releases that are searched for those of the channel.
    private static let lookBack = 60

    /// The release among those that came before it on its channel.
    ///
    /// - Parameters:
    ///   - other: the build that it is compared with; nil for the one before it.
    ///   - report: what was found in the release.
    ///   - attempts: what phones fetched of it.
    ///   - visit: who asks.
    /// - Returns: what the page shows of it.
    /// - Throws: ``Refusal/notFound`` when there is no such other build.
    func history(
        against other: ReleaseIdentifier?,
        _ report: InspectionReport,
        _ attempts: [InstallAttempt],
        for visit: AdminRequest,
    ) throws -> ReleaseHistory {
        let earlier = try earlierReleases(visit)
        let chosen =
            try other.map { (name: ReleaseIdentifier) throws -> Release in
                guard
                    let found = try visit.store.release(name, of: app.bundleIdentifier),
                    found.identifier != release.identifier
                else { throw Refusal.notFound }
                return found
            } ?? earlier.first { $0.withdrawal == nil } ?? earlier.first
        let pages = visit.links.pages(of: app.slug)
        let url = { (release: Release) in pages.release(release.identifier).page }
        // A report that is damaged keeps nothing else from view.
        let otherReport = try chosen.flatMap { chosen in
            try visit.store.unlessDamaged { try visit.store.report(of: chosen) }
        }
        let comparison = try chosen.flatMap { chosen in
            try otherReport.map { otherReport in
                BuildComparison(
                    of: BuildComparison.Side(release, report),
                    with: BuildComparison.Side(chosen, otherReport),
                    at: url(chosen),
                    names: visit.isAdmin
                        ? try names(of: [report, otherReport], visit) : nil,
                )
            }
        }
        let builds = ([release] + earlier.prefix(Self.shownBuilds - 1)).reversed()
        let isListed = chosen.map { chosen in
            earlier.contains { $0.identifier == chosen.identifier }
        }
        return ReleaseHistory(
            comparison: comparison,
            choices: (isListed == false ? chosen.map { [$0] } ?? [] : [])
                + earlier.prefix(Self.shownBuilds),
            chosen: chosen?.identifier,
            trend: SizeTrend(builds.map { ($0, url($0)) }, current: release.identifier),
            funnel: InstallFunnel(attempts),
            at: links.page,
        )
    }

    /// The releases before it that were on its channel, the newest first.
    private func earlierReleases(_ visit: AdminRequest) throws -> [Release] {
        let name = app.bundleIdentifier
        let all = try visit.store.releaseIdentifiers(of: name)
        guard let place = all.firstIndex(of: release.identifier) else { return [] }
        let channels = Set([release.channel] + (release.otherChannels ?? []))
        let earlier = try visit.store.releases(
            of: name,
            offset: place + 1,
            count: Self.lookBack,
        ).filter { !channels.isDisjoint(with: [$0.channel] + ($0.otherChannels ?? [])) }
        return Array(earlier.prefix(Self.shownBuilds))
    }

    /// What the register calls the devices that profiles list.
    private func names(
        of reports: [InspectionReport],
        _ visit: AdminRequest,
    ) throws -> [DeviceUDID: String] {
        let listed = Set(reports.flatMap { $0.profile?.devices ?? [] })
        var names: [DeviceUDID: String] = [:]
        for device in try visit.store.devices().devices where listed.contains(device.udid) {
            names[device.udid] = device.name
        }
        return names
    }
}
