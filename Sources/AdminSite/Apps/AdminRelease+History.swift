import APIDocuments
import Administration
import Identifiers
import Inspection
import Pages
import Releases
import SiteServices
import Store

extension AdminRelease {
    /// The most builds in the size chart, and in the choice to compare with.
    private static let shownBuilds = 20

    /// Returns the release's history among the earlier builds of its channel.
    ///
    /// - Parameters:
    ///   - other: the build to compare with; nil for the one before it.
    ///   - report: the release's inspection report.
    ///   - attempts: the release's install attempts.
    ///   - visit: the admin's request.
    /// - Returns: the history for the page.
    /// - Throws: ``Refusal/notFound`` if the other build does not exist.
    func history(
        against other: ReleaseIdentifier?,
        _ report: InspectionReport,
        _ attempts: [InstallAttempt],
        for visit: AdminRequest,
    ) throws -> ReleaseHistory {
        let earlier = try visit.administrator.earlierReleases(than: release)
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
        // A damaged report must not make the page fail.
        let otherReport = try chosen.flatMap { chosen in
            try visit.store.unlessDamaged { try visit.store.report(of: chosen) }
        }
        let comparison = try chosen.flatMap { chosen in
            try otherReport.map { otherReport -> BuildComparison in
                let document = ComparisonDocument(
                    of: ComparisonDocument.Side(release, report),
                    with: ComparisonDocument.Side(chosen, otherReport),
                    names: visit.isAdmin
                        ? try visit.administrator.names(in: [report, otherReport]) : nil,
                )
                return BuildComparison(
                    with: "\(chosen.version) (\(chosen.build))",
                    at: url(chosen),
                    rows: document.changes.map {
                        BuildComparison.Row($0.label, $0.before, $0.now, change: $0.change)
                    },
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
}
