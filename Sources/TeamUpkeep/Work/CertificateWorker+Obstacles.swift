import AppleDeveloper
import Bundles
import Bytes
import Essentials
import Identifiers
import Jobs
import Releases
import Store

extension CertificateWorker {
    /// Returns the bundles for which the team has a profile now and would have none with the new
    /// certificate.
    ///
    /// - Returns: nil if there is none, or the team cannot sign anything now.
    func bundles(
        of team: Team,
        without drafts: [RenewalTask.Draft],
    ) async throws -> [String]? {
        let now = work.clock()
        guard let identity = team.identity, identity.expires > now else { return nil }
        let invalid = Set(team.account?.snapshot?.invalidProfiles ?? [])
        let own = team.profiles.filter { profile in
            profile.kind == .adHoc && profile.expires > now
                && !(profile.accountID.map(invalid.contains) ?? false)
                // A wildcard profile serves bundles that have drafts of their own.
                && BundleIdentifier(profile.bundleIdentifier) != nil
        }
        let chosen = try await work.state().builds(of: team).flatMap(\.choices)
            .filter { _, choice in
                choice.expires > now && !(choice.accountID.map(invalid.contains) ?? false)
            }
        let left = Set(own.map(\.bundleIdentifier) + chosen.map(\.key.rawValue))
            .subtracting(drafts.map(\.bundle))
        return left.isEmpty ? nil : left.sorted()
    }

    /// Waits, and keeps the team's identity until an admin has fixed the profiles.
    func waitForProfiles(of bundles: [String], _ team: Team) async throws -> JobProgress {
        let now = work.clock()
        let reason =
            "no profile with the new certificate can be made for "
            + "\(quoted: Array(bundles.prefix(5)))"
            + (bundles.count > 5 ? " and \(bundles.count - 5) more" : "")
            + ", so the team keeps its current one"
        let fix =
            "see what is missing with `ota teams check \(team.identifier)`: the App ID, or a device "
            + "of the team that is enabled; or remove a profile that no build needs with "
            + "`ota teams set \(team.identifier) --remove-profile UUID`"
        try await work.note(
            AccountTrouble(
                id: AccountWork.certificateObstacleID,
                message: reason,
                fix: fix,
                testerSentence: "The people who run this site have to fix a problem first.",
                needsPerson: true,
                since: now,
            ),
            of: team.identifier,
        )
        return .wait(
            for: CertificateStep.adopt.rawValue,
            until: now.addingTimeInterval(AccountWork.pauseForPerson),
            because: reason,
            fix: fix,
        ) { $0.certificate?.abandonDrafts() }
    }
}
