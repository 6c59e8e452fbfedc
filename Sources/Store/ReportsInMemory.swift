import Bytes
import Cryptography
import Inspection
import Synchronization

/// Reports that were read recently, by their digests; pages ask for the same ones again and again.
final class ReportsInMemory: Sendable {
    /// Bytes of the documents that they were read from; a decoded report takes about as much.
    private static let limit = 32 << 20

    private let reports = Mutex(RecentValues<SHA256Digest, InspectionReport>(limit: limit))

    subscript(digest: SHA256Digest) -> InspectionReport? { reports.withLock { $0.value(digest) } }

    /// - Parameters:
    ///   - report: what was read.
    ///   - digest: of its document.
    ///   - size: of its document, in bytes.
    func keep(_ report: InspectionReport, for digest: SHA256Digest, size: Int) {
        reports.withLock { $0.keep(report, for: digest, cost: size) }
    }
}
