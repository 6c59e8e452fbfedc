import APIDocuments
import Administration
import Bundles
import HTTPServing
import Hummingbird
import Identifiers
import Inspection
import Jobs
import Pages
import Problems
import ReleaseSigning
import Releases
import Signing
import SiteServices
import Store

/// Re-signing a release.
extension AdminReleases {
    /// Answers `GET /admin/apps/{slug}/{release}/sign` with what signing would change.
    @Sendable func askToSign(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await look(request, context) { visit, release in
            try release.requirePublisher(visit)
            let proposal = try visit.proposal(for: release)
            guard !proposal.isUnchanged else {
                return AdminMessagePage(
                    title: "Nothing would change",
                    message: "\(release.title) already has the newest profiles of its team.",
                    backURL: release.links.page,
                    admin: try visit.chrome(),
                )
            }
            return ConfirmPage(
                "Sign \(release.title) again?",
                consequences: try visit.consequences(of: proposal),
                action: MessagePage.Action(title: "Sign again", url: release.links.sign),
                cancelURL: release.links.page,
                isDangerous: !proposal.lost.isEmpty,
                admin: try visit.chrome(),
            )
        }
    }

    /// Answers `POST /admin/apps/{slug}/{release}/sign`.
    @Sendable func sign(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await act(request, context) { visit, release, _ in
            let answer = try visit.perform(
                SignRelease(release.identifier, of: release.appName, with: SigningWish())
            )
            let message =
                answer.job == nil
                ? "\(release.title) already has the newest profiles of its team."
                : "\(release.title) is being signed again; this page shows when it is done."
            return .done(message, goingTo: release.links.page)
        }
    }
}

extension AdminRequest {
    /// Returns what signing a release with its team's newest profiles would change.
    fileprivate func proposal(for release: AdminRelease) throws -> SigningProposal {
        let team = try administrator.signingTeam(of: release.app)
        return try administration.proposal(
            SigningTask(team: team.identifier.rawValue, reason: "requested"),
            for: release.release,
            at: now,
        )
    }

    /// Returns the same as sentences.
    fileprivate func consequences(of proposal: SigningProposal) throws -> [String] {
        var sentences = proposal.choice.profiles.map { profile in
            let facts = profile.facts
            let devices = facts.devices.map { " for \(Wording.count($0.count, "device"))" } ?? ""
            return "It gets the profile “\(facts.name)”\(devices), which lasts until "
                + "\(Wording.day(facts.expires))."
        }
        if !proposal.gained.isEmpty {
            sentences.append(
                "\(Wording.count(proposal.gained.count, "more device")) can then install it"
                    + (try names(of: proposal.gained)) + "."
            )
        }
        if !proposal.lost.isEmpty {
            sentences.append(
                "\(Wording.count(proposal.lost.count, "device")) can no longer install it"
                    + (try names(of: proposal.lost)) + "."
            )
        }
        sentences.append(
            "Version, build and links stay. Downloads in progress finish, and the file that was "
                + "published is kept."
        )
        return sentences
    }

    /// Returns the names of registered devices, as in `: Ana’s iPhone, Bo’s iPad`; empty for users who
    /// may not see names.
    private func names(of devices: [DeviceUDID]) throws -> String {
        guard isAdmin else { return "" }
        let register = try store.devices()
        let names = devices.compactMap { register[$0]?.name }.prefix(5)
        return names.isEmpty ? "" : ": " + names.joined(separator: ", ")
    }

    /// The most recent jobs that a page searches for one of its release.
    private static var newestJobs: Int { 50 }

    /// Returns the running or last failed signing of a release; nil for none.
    func work(on release: Release) throws -> ReleaseWork? {
        let job = try store.jobs(count: Self.newestJobs).first {
            $0.kind == .sign && $0.app == release.bundleIdentifier
                && $0.release == release.identifier
        }
        guard let job else { return nil }
        let known = try JobEntry(job, in: store)
        let entry = isAdmin ? known : known.withoutPaths
        switch job.state {
        case .waiting, .running:
            return ReleaseWork(
                "Being signed again",
                "\(entry.by) asked for it on \(Wording.moment(entry.created)); it is "
                    + "\(entry.stateWords)" + (entry.reason.map { ": \($0)" } ?? "") + ".",
                url: links.job(entry.id),
                isFailed: false,
            )
        case .failed:
            let problem = Problem(
                id: "job.failed",
                kind: .failed,
                message: entry.reason ?? "it failed",
                fix: entry.fix ?? "",
            )
            let fix = problem.pageFix.map { " To fix it: \($0)." } ?? ""
            return ReleaseWork(
                "Could not be signed again",
                "The server reported: \(problem.message).\(fix)",
                url: links.job(entry.id),
                isFailed: true,
            )
        case .done, .cancelled: return nil
        }
    }
}
