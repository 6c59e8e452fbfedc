import Essentials
import Identifiers
import Jobs
import Releases

extension UpkeepPlanner {
    /// Makes jobs due that waited for an admin and may continue: the team has changed, or a successful job
    /// in its account may have produced what they wait for.
    func resumptions(
        of team: Team,
        _ state: UpkeepState,
        _ date: Date,
    ) -> [Order] {
        let mark = team.upkeepMark
        let ended = state.jobs.filter { job in
            job.team == team.identifier && job.state == .done
                && (job.kind == .renewCertificate || job.kind == .registerDevice)
        }
        .map(\.changed).max()
        return state.jobs.compactMap { job in
            guard job.team == team.identifier, job.waitsInOrder, job.fix != nil,
                let next = job.next, next > date
            else { return nil }
            let hasChanged = job.teamMark.map { $0 != mark } ?? false
            let isLater = ended.map { $0 > job.changed } ?? false
            return hasChanged || isLater ? .move(job.identifier, to: date) : nil
        }
    }
}

extension UpkeepPlanner.Order {
    /// The job that becomes due at another date.
    var moved: JobIdentifier? {
        guard case .move(let identifier, _) = self else { return nil }
        return identifier
    }
}
