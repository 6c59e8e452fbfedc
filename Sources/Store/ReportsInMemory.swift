import Cryptography
import Inspection
import Synchronization

/// Reports that were read lately, by their digests; pages ask for the same few again and again.
final class ReportsInMemory: Sendable {
    private static let most = 128

    private let reports = Mutex<[SHA256Digest: InspectionReport]>([:])

    subscript(digest: SHA256Digest) -> InspectionReport? { reports.withLock { $0[digest] } }

    func keep(_ report: InspectionReport, for digest: SHA256Digest) {
        reports.withLock { reports in
            if reports.count >= Self.most { reports.removeAll(keepingCapacity: true) }
            reports[digest] = report
        }
    }
}
