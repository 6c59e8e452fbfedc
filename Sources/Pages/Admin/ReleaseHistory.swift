package import Releases

/// A release among the other builds of its app.
package struct ReleaseHistory: Sendable {
    let comparison: BuildComparison?
    /// The builds that it can be compared with.
    let choices: [Choice]
    let hasChoices: Bool
    let compareURL: String
    let trend: SizeTrend?
    let funnel: InstallFunnel?

    struct Choice: Sendable {
        let value: String
        let label: String
        let isChosen: Bool
    }

    /// - Parameters:
    ///   - comparison: the comparison with an earlier build; nil for the first one.
    ///   - choices: the builds that it can be compared with, newest first.
    ///   - chosen: the build that it is compared with.
    ///   - trend: the sizes of the last builds.
    ///   - funnel: how far phones got with it.
    ///   - url: the path of the release's page.
    package init(
        comparison: BuildComparison?,
        choices: [Release],
        chosen: ReleaseIdentifier?,
        trend: SizeTrend?,
        funnel: InstallFunnel?,
        at url: String,
    ) {
        self.comparison = comparison
        self.choices = choices.map { release in
            Choice(
                value: release.identifier.rawValue,
                label: "\(release.version) (\(release.build))",
                isChosen: release.identifier == chosen,
            )
        }
        hasChoices = choices.count > 1
        compareURL = url
        self.trend = trend
        self.funnel = funnel
    }
}
