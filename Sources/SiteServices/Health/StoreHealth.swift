package import Store
import Synchronization

/// The problems of the store that the server has found, for `/readyz`, the metrics and the admins' pages.
package final class StoreHealth: Sendable {
    private struct State {
        var documents: [StoreProblem] = []
        var blobs: [StoreProblem] = []
        var blobsChecked = 0
        var hasSeenDocuments = false
        var hasSeenBlobs = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Every problem, documents first.
    package var problems: [StoreProblem] { state.withLock { $0.documents + $0.blobs } }

    /// Whether all documents and all blobs were checked since the server started.
    package var isComplete: Bool { state.withLock { $0.hasSeenDocuments && $0.hasSeenBlobs } }

    /// Whether no document was damaged or missing at the last check.
    package var isSound: Bool { state.withLock { $0.documents.isEmpty } }

    /// - Returns: the problems that are new.
    package func note(documents: [StoreProblem]) -> [StoreProblem] {
        state.withLock { state in
            defer { state.documents = documents }
            state.hasSeenDocuments = true
            return documents.filter { !state.documents.contains($0) }
        }
    }

    /// - Parameters:
    ///   - blobs: the problems of blobs.
    ///   - isComplete: whether every blob was checked.
    /// - Returns: the problems that are new.
    package func note(blobs: [StoreProblem], isComplete: Bool) -> [StoreProblem] {
        state.withLock { state in
            if isComplete { state.hasSeenBlobs = true }
            defer { state.blobs = blobs }
            return blobs.filter { !state.blobs.contains($0) }
        }
    }

    package func countBlob() {
        state.withLock { $0.blobsChecked += 1 }
    }

    /// The problems as metrics in the Prometheus text format.
    package var metrics: String {
        let state = state.withLock { $0 }
        return """
            # HELP ota_store_problems Documents and journal lines that are damaged or missing.
            # TYPE ota_store_problems gauge
            ota_store_problems \(state.documents.count)
            # HELP ota_blobs_damaged Blobs whose bytes are not the ones that were stored.
            # TYPE ota_blobs_damaged gauge
            ota_blobs_damaged \(state.blobs.count)
            # HELP ota_blobs_checked_total Blobs that were read in full to verify them.
            # TYPE ota_blobs_checked_total counter
            ota_blobs_checked_total \(state.blobsChecked)

            """
    }
}
