import Essentials
import Identifiers
import Jobs

extension OfferedBuild {
    /// Says with what it would be signed.
    var need: String {
        UpkeepPlanner.digest(choices.map { "\($0.key) \($0.value.uuid)" })
    }

    /// A job that signs it with the newest profiles of its team.
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
    /// Whether it signs a build with the profiles of its team.
    func isSigning(_ build: OfferedBuild) -> Bool {
        kind == .sign && app == build.app && release == build.release
            && signing?.team == build.team.rawValue && signing?.profiles.isEmpty == true
    }
}
