import Cryptography
import Foundation
import Identifiers
import Jobs
import Releases
import Store
import StoreFixtures
import Synchronization
import Testing

/// A server that stalls while it runs a job, and another one that takes the job over.
struct LostLeaseTests {
    private final class Lease: WorkLease {
        private let lost = Mutex(false)

        var isHeld: Bool { lost.withLock { !$0 } }

        func lose() { lost.withLock { $0 = true } }
    }

    /// A back end whose lease a test can revoke.
    private final class LosingBackend: ForwardingBackend {
        let inner: any Backend
        let lease = Lease()

        init(_ inner: any Backend) {
            self.inner = inner
        }

        func claim(_ work: String) throws(StoreFailure) -> (any WorkLease)? { lease }
    }

    private struct Worker: JobWorker {
        let body: @Sendable (Job) throws -> JobProgress

        func step(_ job: Job) async throws -> JobProgress { try body(job) }
    }

    private let date = Date(timeIntervalSince1970: 1_800_000_000)

    @Test(arguments: [true, false])
    func `a server that has lost its lease writes nothing of a job any more`(
        fails: Bool
    ) async throws {
        let memory = MemoryBackend()
        let other = try OTAStore.openOrCreate(on: memory, now: date)
        let backend = LosingBackend(memory)
        let stalled = try OTAStore.open(on: backend)
        let added = try other.add(
            Job(
                JobIdentifier(at: date, random: randomBytes),
                toSign: ReleaseIdentifier(version: "1.0", build: "1"),
                of: try #require(BundleIdentifier("com.example.forks")),
                as: SigningTask(team: "ABCDE12345", reason: "requested"),
                by: "ada",
                at: date,
            )
        ).job
        let now = date
        let worker = Worker { job in
            // Meanwhile, the other server has done it.
            backend.lease.lose()
            try other.changeJob(job.identifier, at: now) { job in
                job.state = .done
                job.reason = "by the other server"
            }
            if fails { throw StoreFailure.conflict(.settings) }
            return .then(SigningStep.record.rawValue)
        }
        await #expect(throws: StoreFailure.leaseLost) {
            try await JobRunner(stalled, workers: [.sign: worker], clock: { now }).work()
        }
        let job = try #require(try other.job(added.identifier))
        #expect(job.state == .done)
        #expect(job.reason == "by the other server")
        #expect(job.step == SigningStep.sign.rawValue)
    }
}
