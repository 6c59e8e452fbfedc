import Dispatch
import S3
import Store
import Synchronization

/// A lease of this process, renewed until it is released or lost.
final class ObjectLease: WorkLease {
    private struct State {
        var seen: SeenLease
        /// Whether another holder has it or it has expired.
        ///
        /// This is final, because another process may have started the work.
        var isLost = false
    }

    /// Renews the lease; outlives a released lease until the claim has ended in the store.
    private final class Renewal: Sendable {
        let key: String
        let client: S3Client
        let timing: LeaseTiming
        let state: Mutex<State>
        let queue = DispatchQueue(label: "ota.lease")

        init(_ seen: SeenLease, at key: String, of client: S3Client, _ timing: LeaseTiming) {
            self.key = key
            self.client = client
            self.timing = timing
            state = Mutex(State(seen: seen))
        }

        var isHeld: Bool {
            state.withLock { state in
                if ContinuousClock.now - state.seen.since >= timing.life { state.isLost = true }
                return !state.isLost
            }
        }

        /// Writes a change of the lease, unless it is lost.
        func advance(_ change: (inout LeaseDocument) -> Void) {
            guard isHeld else { return }
            let seen = state.withLock(\.seen)
            var document = seen.document
            change(&document)
            let write = S3Write(
                document.bytes(),
                to: key,
                if: .unchanged(seen.etag),
                identifier: "\(seen.document.holder ?? "")\(document.beat)",
                after: seen.writes,
            )
            let sent = ContinuousClock.now
            do throws(S3Failure) {
                let outcome = try client.write(write)
                state.withLock { state in
                    guard case .stored(let etag) = outcome else { return state.isLost = true }
                    state.seen = SeenLease(
                        document: document,
                        etag: etag,
                        writes: Array(write.kept.prefix(Self.writesKept)),
                        since: sent,
                    )
                }
            } catch {
                // It is retried until the lease has expired.
            }
        }

        /// Enough to recognise this process's own renewal.
        private static let writesKept = 4

        func renewLater(while isWanted: @escaping @Sendable () -> Bool) {
            let pause = DispatchTimeInterval.milliseconds(Int(timing.renewal / .milliseconds(1)))
            queue.asyncAfter(deadline: .now() + pause) { [self] in
                guard isWanted() else { return }
                advance { $0.beat += 1 }
                if isHeld { renewLater(while: isWanted) }
            }
        }
    }

    private let renewal: Renewal
    let fence: Int?

    init(_ seen: SeenLease, at key: String, of client: S3Client, _ timing: LeaseTiming) {
        renewal = Renewal(seen, at: key, of: client, timing)
        fence = seen.document.fence
        renewal.renewLater { [weak self] in self != nil }
    }

    var isHeld: Bool { renewal.isHeld }

    /// Ends the claim, if the store answers soon; otherwise it expires.
    deinit {
        let renewal = renewal
        let done = DispatchSemaphore(value: 0)
        renewal.queue.async {
            renewal.advance { document in
                document.holder = nil
                document.beat += 1
            }
            done.signal()
        }
        _ = done.wait(timeout: .now() + .seconds(2))
    }
}
