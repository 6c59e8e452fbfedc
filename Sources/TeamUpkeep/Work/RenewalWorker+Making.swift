import AppleDeveloper
import Bytes
import Cryptography
import Essentials
import Identifiers
import Jobs
import Releases
import Sandboxing
import Store

extension RenewalWorker {
    /// Creates the planned profiles; each is recorded as soon as its bytes are in the store.
    func make(
        _ job: Job,
        _ team: Team,
        _ account: DeveloperAccount,
    ) async throws -> JobProgress {
        guard var task = job.renewal, let identity = team.identity else { return .done() }
        let maker = ProfileMaker(
            work: work,
            account: account,
            team: team,
            certificate: identity.sha256,
        )
        let listed = try await account.devices()
        for index in task.drafts.indices where task.drafts[index].digest == nil {
            switch try await maker.make(task.drafts[index], among: listed) {
            case .made(let draft, let omitted):
                task.drafts[index] = draft
                task.omitted = (task.omitted ?? []) + omitted
                let noted = task
                try await work.change(job) { $0.renewal = noted }
            case .loses(let names):
                return planAgain(
                    job,
                    because: Self.words(leavingOut: names),
                    omitting: names,
                )
            case .exceeds(let names, let count):
                return planAgain(job, because: Self.words(adding: names, of: count))
            case .outdated:
                return planAgain(job, because: "the developer account has changed in the meantime")
            }
        }
        let noted = task
        return .then(RenewalStep.adopt.rawValue) { $0.renewal = noted }
    }

    static func words(leavingOut names: [String]) -> String {
        let unique = Set(names).sorted()
        return "Apple has left \(quoted: unique) out of the profile"
    }

    static func words(adding names: [String], of count: Int) -> String {
        "the profile lists " + Wording.count(count, "device") + " that no one asked for"
            + (names.isEmpty ? "" : ", \(quoted: Set(names).sorted()) among them")
    }

    /// Adds all created profiles to the team at once.
    func adopt(
        _ job: Job,
        _ team: Team,
        _ account: DeveloperAccount,
    ) async throws -> JobProgress {
        guard let task = job.renewal, let identity = team.identity else { return .done() }
        guard !task.drafts.contains(where: { $0.digest == nil }) else {
            return .then(RenewalStep.make.rawValue)
        }
        let maker = ProfileMaker(
            work: work,
            account: account,
            team: team,
            certificate: identity.sha256,
        )
        let profiles: [TeamProfile]
        do {
            profiles = try await maker.profiles(of: task.drafts)
        } catch StoreFailure.missingBlob {
            // The blob was garbage-collected, because the job waited for long.
            return .then(RenewalStep.make.rawValue) { job in
                for index in job.renewal?.drafts.indices ?? 0..<0 {
                    job.renewal?.drafts[index].digest = nil
                }
            }
        } catch TeamRefusal.certificateMissing {
            return planAgain(job, because: "the team now signs with another certificate")
        }
        let (store, now) = (work.store, work.clock())
        let isTaken = try await blocking {
            var isTaken = false
            var news: [Activity] = []
            _ = try store.changeTeam(
                team.identifier,
                { team in
                    isTaken = team.identity?.sha256 == identity.sha256
                    news = []
                    guard isTaken else { return }
                    for profile in profiles where !team.profiles.contains(profile) {
                        team.add(profile)
                        news.append(Activity(made: profile, at: now))
                    }
                    guard team.profiles.count <= Team.profileLimit else {
                        throw TeamRefusal.tooManyProfiles(limit: Team.profileLimit)
                    }
                },
                recording: { news },
            )
            return isTaken
        }
        guard isTaken else {
            return planAgain(job, because: "the team now signs with another certificate")
        }
        let devices = profiles.compactMap(\.deviceCount).max()
        return .then(RenewalStep.sign.rawValue) { $0.devices = devices ?? $0.devices }
    }
}

extension Activity {
    /// Records that this server has created a profile.
    init(made profile: TeamProfile, at date: Date) {
        self.init(
            date: date,
            actor: UpkeepPlanner.actor,
            event: .profileMade,
            subject: profile.name,
            detail: profile.deviceCount.map { "with " + Wording.count($0, "device") },
        )
    }
}
