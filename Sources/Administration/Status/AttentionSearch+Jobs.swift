import APIDocuments
import Foundation
import Jobs
import Problems
import Releases
import Store

extension AttentionSearch {
    /// Jobs that need an admin before they continue: those that failed recently and were not requested
    /// again, and those that wait for something an admin can do.
    func jobs() throws -> [AttentionEntry] {
        let month = now.addingTimeInterval(-30 * 86_400)
        var seen: Set<String> = []
        return try store.jobs(count: Self.newestJobs).compactMap {
            job -> AttentionEntry? in
            let entry = try JobEntry(job, in: store)
            // Of several jobs with the same title, the newest shows the current state.
            guard seen.insert(entry.title).inserted else { return nil }
            let isFailed = entry.state == .failed && entry.changed > month
            // Problems with the team's account are already listed above.
            let isSaid = teams.contains {
                $0.identifier == job.team && $0.account?.trouble?.message == job.reason
            }
            let waits =
                entry.state == .waiting && entry.attempts == 0 && entry.fix != nil && !isSaid
            guard isFailed || waits else { return nil }
            return entry.attention(
                isFailed ? .urgent : .warning,
                isFailed
                    ? "The server could not \(entry.title)"
                    : "The job to \(entry.title) is waiting",
                [entry.reason, entry.pageFix].compactMap { $0.map { Wording.sentence($0) } }
                    .joined(separator: " "),
            )
        }
    }

    /// The number of jobs that are searched.
    private static let newestJobs = 50
}

extension JobEntry {
    /// How to fix it, for an admin who uses a browser.
    fileprivate var pageFix: String? {
        guard state != .done, let fix else { return nil }
        let message = reason ?? state.rawValue
        return Problem(id: "job.failed", kind: .failed, message: message, fix: fix).pageFix
    }

    fileprivate func attention(
        _ level: AttentionEntry.Level,
        _ title: String,
        _ detail: String,
    ) -> AttentionEntry {
        var entry = AttentionEntry(level, title, detail, at: .jobs)
        entry.job = id
        return entry
    }
}
