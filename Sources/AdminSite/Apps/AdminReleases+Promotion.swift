import APIDocuments
import Access
import Administration
import HTTPServing
import Hummingbird
import Identifiers
import Inspection
import Pages
import Problems
import Publishing
import Releases
import SiteServices
import Store

/// Promoting a release, which asks an admin first if something speaks against it.
extension AdminReleases {
    /// Answers `POST /admin/apps/{slug}/{release}/promote`.
    @Sendable func promote(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await act(request, context) { visit, release, form in
            do {
                return try Self.promoted(release, form, visit)
            } catch {
                guard let problem = Problem(ofForm: error) else { throw error }
                let typed = ReleaseActions.Typed(
                    channel: form["channel"] ?? "",
                    expires: form["expires"] ?? "",
                    problem: PageProblem(problem),
                )
                return .again(
                    try release.page(promoting: typed, for: visit),
                    problem.kind.status,
                )
            }
        }
    }

    private static func promoted(
        _ release: AdminRelease,
        _ form: FormBody,
        _ visit: AdminRequest,
    ) throws -> AdminOutcome {
        guard let channel = ChannelName(form["channel"] ?? "") else {
            throw Problem(
                form: "channel",
                "a channel name has 1 to 63 lower-case letters, digits and . _ -, and begins "
                    + "with a letter or digit",
                fix: "use a name such as stable, beta or nightly",
            )
        }
        let life = try Self.life(form["expires"] ?? "")
        // The admin confirmed replacing the release that the channel offered then; if that has changed,
        // they are asked again.
        let app = try visit.store.app(release.app.bundleIdentifier, isCurrent: true)
        let isConfirmed = form["instead"] == Self.name(of: app?.channels[channel])
        guard
            try isConfirmed || release.release.withdrawal != nil
                || visit.warnings(of: release.release, for: channel).isEmpty
        else {
            let end = life.map { "&expires=\($0)" } ?? ""
            return .elsewhere("\(release.links.promote)?channel=\(channel)\(end)")
        }
        let promoted = try visit.perform(
            PromoteRelease(
                release.identifier,
                of: release.appName,
                to: channel,
                lasting: life,
            )
        )
        let end = promoted.channelEnds.map { Wording.end(of: channel.rawValue, on: $0) }
        let findings = (promoted.findings ?? []).map(\.finding)
        var report = ActionReport(
            (["\(release.title) is now on \(channel).", end].compactMap(\.self)
                + findings.map(\.message))
                .joined(separator: " ")
        )
        report.isWarning = findings.contains { $0.severity != .notes }
        if let previous = promoted.previous.flatMap({ ReleaseIdentifier($0) }),
            try release.canOffer(previous, visit)
        {
            report.undo = ActionReport.Undo(
                url: visit.links.pages(of: release.app.slug).release(previous).promote,
                channel: channel.rawValue,
                instead: release.release.identifier.rawValue,
            )
        }
        return .reported(report, goingTo: release.links.page)
    }

    /// Parses how long a channel lasts; nil if the field is empty.
    private static func life(_ text: String) throws -> ChannelLife? {
        guard !text.isEmpty else { return nil }
        guard let life = ChannelLife(text) else {
            throw Problem(
                form: "expires",
                "the channel’s end must be \(ChannelLife.kindOfText)",
                fix: "leave it empty to keep the channel’s end as it is",
            )
        }
        return life
    }

    /// Answers `GET /admin/apps/{slug}/{release}/promote?channel=&expires=`: asks an admin for
    /// confirmation.
    @Sendable func askToPromote(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        let text = request.uri.queryParameters["channel"].map { String($0) } ?? ""
        let end = request.uri.queryParameters["expires"].map { String($0) } ?? ""
        return try await look(request, context) { visit, release in
            try release.requirePublisher(visit)
            guard let channel = ChannelName(text) else { throw Refusal.notFound }
            let life = ChannelLife(end)
            let offered = release.app.channels[channel]
            let findings = try visit.warnings(of: release.release, for: channel)
            let before = try offered.flatMap { identifier in
                try visit.store.release(identifier, of: release.app.bundleIdentifier)
            }
            let now =
                before.map {
                    [
                        "\(channel) currently offers \($0.version) (\($0.build))."
                    ]
                } ?? []
            return ConfirmPage(
                "Promote \(release.title) to \(channel)?",
                consequences: now + findings.map(\.message),
                action: MessagePage.Action(
                    title: findings.isEmpty ? "Promote" : "Promote anyway",
                    url: release.links.promote,
                ),
                fields: [
                    ("channel", channel.rawValue), ("expires", life?.description ?? ""),
                    ("instead", Self.name(of: offered)),
                ],
                cancelURL: release.links.page,
                isDangerous: !findings.isEmpty,
                admin: try visit.chrome(),
            )
        }
    }

    /// Returns the form's value for the release that a channel offers; `-` for none.
    private static func name(of offered: ReleaseIdentifier?) -> String { offered?.rawValue ?? "-" }
}

extension AdminRequest {
    /// Returns the findings that an admin should know before a channel offers another release.
    fileprivate func warnings(of release: Release, for channel: ChannelName) throws -> [Finding] {
        try store.comparison(of: release, with: channel).filter { $0.severity != .notes }
    }
}
