import Synchronization

/// Blocks requests to a store that is known not to answer, so that no thread waits for it.
///
/// The code that polls the store closes and opens it; while it is closed, no requests are sent.
package final class S3Gate: Sendable {
    private let failure = Mutex<S3Failure?>(nil)

    package init() {}

    /// Makes every further attempt fail at once.
    package func close(because failure: S3Failure) {
        self.failure.withLock { $0 = failure }
    }

    package func open() { failure.withLock { $0 = nil } }

    /// - Throws: the failure with which it was closed.
    func pass() throws(S3Failure) {
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}
