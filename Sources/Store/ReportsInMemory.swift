import Bytes
import Cryptography
import Inspection
import Synchronization

/// Recently read reports by digest, because pages need the same ones again and again.
final class ReportsInMemory: Sendable {
    /// The most bytes of the documents from which they were decoded; a decoded report needs about as much
    /// memory.
    private static let limit = 32 << 20

    private let reports = Mutex(RecentValues<SHA256Digest, InspectionReport>(limit: limit))

    subscript(digest: SHA256Digest) -> InspectionReport? { reports.withLock { $0.value(digest) } }

    /// - Parameters:
    ///   - report: the report.
    ///   - digest: the digest of its document.
    ///   - size: the size of its document in bytes.
    func keep(_ report: InspectionReport, for digest: SHA256Digest, size: Int) {
        reports.withLock { $0.keep(report, for: digest, cost: size) }
    }
}
