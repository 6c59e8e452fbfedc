import Essentials
import Identifiers
import Jobs

extension OfferedBuild {
    /// A digest of the profiles with which the build would be signed.
    var need: String {
        UpkeepPlanner.digest(choices.map { "\($0.key) \($0.value.uuid)" })
    }

    /// Returns a job that signs the build with its team's newest profiles.
    func job(
        because reason: String,
        at date: Date,
        random: (Int) -> [UInt8],
    ) -> Job {
        var job = Job(
            JobIdentifier(at: date, random: random),
            toSign: release,
            of: app,
            as: SigningTask(team: team.rawValue, reason: reason),
            by: UpkeepPlanner.actor,
            at: date,
        )
        job.need = need
        return job
    }
}

extension Job {
    /// Whether the job signs a build with its team's newest profiles.
    func isSigning(_ build: OfferedBuild) -> Bool {
        kind == .sign && app == build.app && release == build.release
            && signing?.team == build.team.rawValue && signing?.profiles.isEmpty == true
    }
}
