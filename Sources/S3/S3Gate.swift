import Synchronization

/// Keeps requests from a store that is known not to answer, so that no thread waits for it.
///
/// Who watches the store closes it and opens it again; until then nothing is sent.
package final class S3Gate: Sendable {
    private let failure = Mutex<S3Failure?>(nil)

    package init() {}

    /// Has every further attempt fail at once.
    package func close(because failure: S3Failure) {
        self.failure.withLock { $0 = failure }
    }

    package func open() { failure.withLock { $0 = nil } }

    /// - Throws: what it was closed with.
    func pass() throws(S3Failure) {
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}
