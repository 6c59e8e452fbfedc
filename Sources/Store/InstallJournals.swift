import Bytes
import Essentials
import Releases
import Synchronization

/// The install journals as last read; only lines appended since then are read.
final class InstallJournals: Sendable {
    private struct Known {
        var attempts: [InstallAttempt]
        var end: Int
    }

    /// The most bytes of a journal that are read when none of it is cached.
    private static let longestReading = 4 << 20
    /// The most attempts kept of one journal.
    private static let mostAttempts = 20_000
    /// The most bytes of memory for all of them, counted as ``attemptSize`` per attempt.
    private static let limit = 64 << 20
    private static let attemptSize = 400

    private let backend: any Backend
    private let known = Mutex(RecentValues<DocumentName, Known>(limit: limit))

    init(backend: any Backend) {
        self.backend = backend
    }

    func forget() {
        known.withLock { $0.removeAll() }
    }

    func attempts(of journal: DocumentName) throws(StoreFailure) -> [InstallAttempt] {
        let end = try backend.end(of: journal)
        let before = known.withLock { $0.value(journal) }
        if let before, before.end == end { return before.attempts }
        // A journal that is shorter than before was restored from a backup.
        var now: Known
        if let before, before.end < end {
            now = before
        } else {
            let start = try backend.startOfLine(in: journal, near: end - Self.longestReading)
            now = Known(attempts: [], end: start)
        }
        while now.end < end {
            let lines = try backend.lines(of: journal, from: now.end, count: 5_000)
            guard !lines.isEmpty else { break }
            for line in lines {
                let path = "\(journal) before byte \(line.end)"
                now.end = line.end
                // `ota store verify` and the server's check report lines that cannot be read.
                do throws(StoreFailure) {
                    if let attempt = try OTAStore.journalled(
                        InstallAttempt.self,
                        line.bytes,
                        path,
                    ) {
                        now.attempts.append(attempt)
                    }
                } catch {
                    continue
                }
            }
        }
        now.attempts.removeFirst(max(0, now.attempts.count - Self.mostAttempts))
        let kept = now
        known.withLock { known in
            known.keep(kept, for: journal, cost: (kept.attempts.count + 1) * Self.attemptSize)
        }
        return kept.attempts
    }
}
