import AppleDeveloper
import Cryptography
import Essentials
import Identifiers
package import Jobs
import Releases
import Sandboxing
import Store

/// Creates the profiles that a team lacks, has releases signed with them, and deletes what they replace.
///
/// The names of profiles are recorded before the first of them is created, so that a crash leaves no
/// unknown profile.
package struct RenewalWorker: JobWorker {
    let work: AccountWork

    package init(_ work: AccountWork) {
        self.work = work
    }

    package func step(_ job: Job) async throws -> JobProgress {
        try await work.step(job) { team, account in
            do {
                return switch RenewalStep(rawValue: job.step) ?? .plan {
                case .plan: try await plan(job, team, account)
                case .make: try await make(job, team, account)
                case .adopt: try await adopt(job, team, account)
                case .sign: try await sign(job, team)
                case .tidy: try await tidy(job, team, account)
                }
            } catch let failure as AppleFailure {
                switch failure {
                // Someone has changed the account since it was read.
                case .notFound, .noDevices, .nameTaken:
                    return planAgain(job, because: "\(failure)")
                default: throw failure
                }
            }
        }
    }

    /// Starts over, with a longer pause each time.
    func planAgain(
        _ job: Job,
        because reason: String,
        omitting omitted: [String]? = nil,
    ) -> JobProgress {
        let now = work.clock()
        let waits = job.renewal?.waits ?? 0
        let change: @Sendable (inout Job) -> Void = { job in
            job.renewal?.abandonDrafts()
            job.renewal?.signing = []
            job.renewal?.waits = waits + 1
            job.renewal?.omitted = omitted
        }
        guard let next = ProcessingWait.next(after: waits, since: job.created, at: now) else {
            return .done { job in
                change(&job)
                job.reason = reason
            }
        }
        return .wait(
            for: RenewalStep.plan.rawValue,
            until: next,
            because: reason,
            change,
        )
    }

    // MARK: Plan

    private func plan(
        _ job: Job,
        _ team: Team,
        _ account: DeveloperAccount,
    ) async throws -> JobProgress {
        guard let identity = team.identity else {
            return .done { $0.reason = "the team has no identity to sign with" }
        }
        let listed = try await account.devices()
        let lacking = try await newlyRegistered(in: team, missingFrom: listed)
        guard lacking == 0 else {
            let devices = Wording.count(lacking, "device")
            return planAgain(job, because: "Apple's list lacks \(devices) registered just now")
        }
        let profiles = try await account.profiles()
        try await work.note(listed, profiles, of: team.identifier) { id in
            !AccountWork.obstacles.contains(id) && !AccountWork.deviceTroubles.contains(id)
        }
        let needs = try await needs(of: team, among: listed, in: account)
        let certificate = try await account.certificates()
            .first { $0.certificate?.sha256 == identity.sha256 }
        let mark = try work.accounts.mark()
        let recorded = try await work.recordedProfiles()
        let own = profiles.filter(recorded.contains)
        let maker = ProfileMaker(
            work: work,
            account: account,
            team: team,
            certificate: identity.sha256,
        )
        var task = job.renewal ?? RenewalTask(reason: "")
        task.abandonDrafts()
        task.superseded = []
        task.signing = []
        task.omitted = nil
        task.obstacle = nil
        for (need, days) in needs {
            var candidates: [ListedProfile] = []
            for profile in own where profile.bundleID == need.appID?.id && need.appID != nil {
                let devices = try await account.devices(of: profile.id)
                candidates.append(ListedProfile(profile, devices: Set(devices.compactMap(\.udid))))
            }
            let plan = RenewalPlan(
                needs: [need],
                profiles: candidates,
                certificate: certificate,
                mark: mark,
                at: work.clock(),
                renewingBefore: Double(days),
            )
            for entry in plan.entries {
                task.superseded += entry.superseded.map(\.rawValue)
                switch entry.step {
                case .keep(let profile):
                    let isKnown = team.profiles.contains {
                        $0.accountID == profile.profile.id.rawValue
                    }
                    // Created before an earlier process ended.
                    guard !isKnown, let appID = need.appID, let certificate else { continue }
                    var draft = RenewalTask.Draft(
                        bundle: need.bundle.rawValue,
                        name: profile.profile.name,
                        appID: appID.id.rawValue,
                        certificate: certificate.id.rawValue,
                        devices: need.devices.filter { $0.status == .enabled && $0.udid != nil }
                            .map(\.id.rawValue).sorted(),
                    )
                    draft.accountID = profile.profile.id.rawValue
                    task.drafts.append(draft)
                case .make(let devices, _, _):
                    guard let appID = need.appID, let certificate else { continue }
                    task.drafts.append(
                        try maker.draft(need.bundle, appID.id, certificate.id, devices)
                    )
                case .cannot(.noDevices): continue
                case .cannot(let obstacle):
                    task.obstacle = RenewalTask.Obstacle(
                        message: "no profile can be made for \(need.bundle): \(obstacle)",
                        fix: obstacle.fix,
                    )
                }
            }
        }
        // Further profiles of this server that nothing refers to, such as one for a build that is no longer
        // offered.
        let everyTeam = try await work.state().teams
        let kept = Set(
            (everyTeam.flatMap(\.profiles).map(\.accountID) + task.drafts.map(\.accountID))
                .compactMap(\.self)
        )
        let strays = own.map(\.id.rawValue).filter { !kept.contains($0) }
        task.superseded = Set(task.superseded + strays).sorted()
        let noted = task
        let next = noted.drafts.isEmpty ? RenewalStep.sign : .make
        return .then(next.rawValue) { $0.renewal = noted }
    }

    /// The number of devices that Apple registered within the last hour but omits from its list: the first
    /// reads after a change may be stale.
    private func newlyRegistered(
        in team: Team,
        missingFrom listed: [AccountDevice],
    ) async throws -> Int {
        let known = Set(listed.compactMap(\.udid))
        let since = work.clock().addingTimeInterval(-3600)
        return try await work.devices(of: team.identifier).count {
            $0.state == .registered && $0.stateSince > since && !known.contains($0.udid)
        }
    }

    /// The bundles for which the team lacks a profile, or has one that this server created, and the number
    /// of days before its expiry at which each is renewed.
    private func needs(
        of team: Team,
        among listed: [AccountDevice],
        in account: DeveloperAccount,
    ) async throws -> [(ProfileNeed, Int)] {
        let state = try await work.state()
        guard let team = state.teams.first(where: { $0.identifier == team.identifier }) else {
            return []
        }
        let wanted = state.wanted(of: team)
        var days: [BundleIdentifier: Int] = [:]
        for build in state.builds(of: team) {
            for bundle in build.bundles {
                let lack = ProfileLack(
                    bundle,
                    build.choices[bundle],
                    wanted: wanted,
                    invalid: team.account?.snapshot?.invalidProfiles ?? [],
                    certificateEnd: team.identity?.expires ?? .distantFuture,
                    renewingBefore: build.renewalDays,
                    at: work.clock(),
                )
                // A profile from an admin is kept as long as it is sufficient.
                guard lack != nil || build.choices[bundle]?.accountID != nil else { continue }
                days[bundle] = max(days[bundle] ?? 0, build.renewalDays)
            }
        }
        guard !days.isEmpty else { return [] }
        let own = TeamDevices(of: team, in: state.register, beside: state.teams).devices
            .filter { $0.state == .registered || $0.state == .approved }
        let known = Set(own.map(\.udid))
        let devices = listed.filter { device in
            (device.udid.map(known.contains) ?? false) && device.family?.runsApps ?? true
        }
        let appIDs = try await account.bundleIDs()
        return days.sorted { $0.key.rawValue < $1.key.rawValue }.map { bundle, days in
            let appID = appIDs.first { $0.identifier == bundle.rawValue }
            return (ProfileNeed(bundle: bundle, appID: appID, devices: devices), days)
        }
    }
}
