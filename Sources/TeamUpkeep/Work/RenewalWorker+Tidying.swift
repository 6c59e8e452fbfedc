import AppleDeveloper
import Essentials
import Identifiers
import Jobs
import Releases
import Sandboxing
import Store

extension RenewalWorker {
    /// Seconds between two checks of the signing jobs.
    private static let signingPause: TimeInterval = 2

    /// Has every release that is kept fresh signed with the team's profiles, and waits until that is done.
    func sign(_ job: Job, _ team: Team) async throws -> JobProgress {
        guard let task = job.renewal else { return .done() }
        let state = try await work.state()
        let (store, now, random) = (work.store, work.clock(), work.random)
        let reason = task.reason
        let builds = state.builds(of: team).filter { $0.isKeptFresh && !$0.isUnchanged }
        let (asked, isOver) = try await blocking {
            var asked = task.signing
            let before = try asked.compactMap { try store.job($0) }
            for build in builds where !before.contains(where: { $0.isSigning(build) }) {
                let added = try store.add(build.job(because: reason, at: now, random: random)).job
                if !asked.contains(added.identifier) { asked.append(added.identifier) }
            }
            // A job that is no longer in the store is over.
            let isOver = try asked.allSatisfy { try store.job($0)?.state.isOver ?? true }
            return (asked, isOver)
        }
        guard isOver else {
            return .wait(
                for: RenewalStep.sign.rawValue,
                until: now.addingTimeInterval(Self.signingPause),
                because: "builds are being signed with the new profiles",
            ) { $0.renewal?.signing = asked }
        }
        return .then(RenewalStep.tidy.rawValue) { $0.renewal?.signing = asked }
    }

    /// Deletes the profiles of this installation that are no longer needed.
    func tidy(
        _ job: Job,
        _ team: Team,
        _ account: DeveloperAccount,
    ) async throws -> JobProgress {
        guard var task = job.renewal else { return .done() }
        if !task.superseded.isEmpty || !task.drafts.isEmpty {
            let listed = try await account.profiles()
            let recorded = try await work.recordedProfiles()
            let own = listed.filter(recorded.contains)
            let (kept, names) = try await needed(beside: job)
            let doomed = own.filter { profile in
                !kept.contains(profile.id.rawValue) && !names.contains(profile.name)
            }
            let earlier = Set(task.superseded).subtracting(kept)
                .subtracting(own.map(\.id.rawValue))
            task.superseded = doomed.map(\.id.rawValue) + earlier.sorted()
            let noted = task
            try await work.change(job) { $0.renewal = noted }
            for identifier in noted.superseded {
                guard let id = ResourceID(identifier) else { continue }
                let found = doomed.first { $0.id == id }
                // The profile may still be in the account although the list does not contain it.
                let isThere = try await found == nil ? account.profile(id) != nil : true
                try await account.delete(id)
                guard isThere || !earlier.contains(identifier) else { continue }
                try await noteDeletion(found?.name ?? identifier)
            }
            try await forget(noted.superseded, of: team.identifier)
        }
        return try await finish(job, task, team)
    }

    /// The profiles that must be kept: those of any team, because teams may share an account, and those
    /// that open jobs create.
    private func needed(
        beside job: Job
    ) async throws -> (identifiers: Set<String>, names: Set<String>) {
        let store = work.store
        return try await blocking {
            let profiles = try store.teams().flatMap(\.profiles)
            let others = try store.openJobs().filter { $0.identifier != job.identifier }
            let drafts = others.flatMap {
                ($0.renewal?.drafts ?? []) + ($0.certificate?.drafts ?? [])
            }
            let made = drafts.compactMap(\.accountID)
            return (Set(profiles.compactMap(\.accountID) + made), Set(drafts.map(\.name)))
        }
    }

    private func forget(_ deleted: [String], of team: TeamIdentifier) async throws {
        guard !deleted.isEmpty else { return }
        let store = work.store
        try await blocking { _ = try store.changeTeam(team) { $0.forget(replaced: deleted) } }
    }

    private func noteDeletion(_ name: String) async throws {
        let (store, now) = (work.store, work.clock())
        try await blocking {
            try store.record(
                Activity(
                    date: now,
                    actor: UpkeepPlanner.actor,
                    event: .profileDeleted,
                    subject: name,
                )
            )
        }
    }

    /// Ends the job, or says what it still waits for.
    private func finish(
        _ job: Job,
        _ task: RenewalTask,
        _ team: Team,
    ) async throws -> JobProgress {
        guard let obstacle = task.obstacle else {
            try await work.noteEnd(of: team.identifier) { $0 == AccountWork.obstacleID }
            guard let omitted = task.omitted, !omitted.isEmpty else { return .done() }
            return planAgain(job, because: Self.words(leavingOut: omitted), omitting: omitted)
        }
        let now = work.clock()
        try await work.note(
            AccountTrouble(
                id: AccountWork.obstacleID,
                message: obstacle.message,
                fix: obstacle.fix,
                testerSentence: "The people who run this site have to fix a problem first.",
                needsPerson: true,
                since: now,
            ),
            of: team.identifier,
        )
        return .wait(
            for: RenewalStep.plan.rawValue,
            until: now.addingTimeInterval(AccountWork.pauseForPerson),
            because: obstacle.message,
            fix: obstacle.fix,
        )
    }
}
