import Cryptography
import Foundation
import Identifiers
import Jobs
import Problems
import Releases
import Store
import StoreFixtures
import Synchronization
import Testing

/// Jobs as documents: a step is repeated after a crash, attempts are limited, and jobs can be cancelled and
/// retried.
struct JobRunnerTests {
    /// A clock that a test advances.
    private final class Clock: Sendable {
        private let date = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

        var now: Date { date.withLock { $0 } }

        func advance(by seconds: TimeInterval) { date.withLock { $0 += seconds } }
    }

    /// Does what a test says, and records the requested steps.
    private final class Worker: JobWorker {
        let steps = Mutex<[String]>([])
        private let body: @Sendable (Job, Int) throws -> JobProgress

        init(_ body: @escaping @Sendable (Job, Int) throws -> JobProgress) {
            self.body = body
        }

        func step(_ job: Job) async throws -> JobProgress {
            let count = steps.withLock { steps in
                steps.append(job.step)
                return steps.count
            }
            return try body(job, count)
        }
    }

    private static let twoSteps: @Sendable (Job, Int) throws -> JobProgress = { job, _ in
        job.step == SigningStep.sign.rawValue ? .then(SigningStep.record.rawValue) : .done()
    }

    private let clock = Clock()
    private let store: OTAStore

    init() throws {
        store = try OTAStore.openOrCreate(on: MemoryBackend(), now: clock.now)
    }

    private func job(_ version: String = "1.0", reason: String = "requested") throws -> Job {
        Job(
            JobIdentifier(at: clock.now, random: randomBytes),
            toSign: ReleaseIdentifier(version: version, build: "1"),
            of: try #require(BundleIdentifier("com.example.forks")),
            as: SigningTask(team: "ABCDE12345", reason: reason),
            by: "ada",
            at: clock.now,
        )
    }

    private func run(_ worker: Worker, policy: JobPolicy = JobPolicy()) async throws -> Bool {
        try await JobRunner(
            store,
            workers: [.sign: worker],
            policy: policy,
            clock: { [clock] in clock.now },
        ).work()
    }

    @Test func `an identifier is in the order of time and reads back`() throws {
        let first = JobIdentifier(at: clock.now, random: { [UInt8](repeating: 255, count: $0) })
        let second = JobIdentifier(
            at: clock.now + 1,
            random: { [UInt8](repeating: 0, count: $0) },
        )
        #expect(first < second && JobIdentifier(first.rawValue) == first)
        for text in ["", "20270115-080000", "../../../etc", "20270115-080000-ZZZZZZZZ"] {
            #expect(JobIdentifier(text) == nil)
        }
    }

    @Test func `the same profiles in another order or twice are the same request`() throws {
        let profiles = try (1...3).map { try store.put([UInt8($0)]) }
        var first = try job()
        first.signing = SigningTask(team: "ABCDE12345", profiles: profiles, reason: "requested")
        let added = try store.add(first)
        for order in [profiles.reversed(), profiles + profiles] {
            var again = try job()
            again.signing = SigningTask(team: "ABCDE12345", profiles: order, reason: "requested")
            let found = try store.add(again)
            #expect(!found.isCreated && found.job == added.job)
        }
        #expect(try store.openJobs().count == 1)
    }

    @Test func `a newer request for a release takes the place of one that waits`() throws {
        let profile = try store.put([1])
        let first = try store.add(try job()).job
        var newer = try job()
        newer.signing = SigningTask(team: "ABCDE12345", profiles: [profile], reason: "requested")
        let taken = try store.add(newer)
        #expect(taken.isCreated && taken.job.identifier == first.identifier)
        #expect(taken.job.signing == newer.signing)
        #expect(try store.openJobs().count == 1)
        // A running job is not reused.
        try store.changeJob(first.identifier, at: clock.now) { $0.state = .running }
        #expect(try store.add(try job()).job.identifier != first.identifier)
        #expect(try store.openJobs().count == 2)
    }

    @Test func `an app has a share of the queue alone`() throws {
        for number in 1...3 { _ = try store.add(try job("\(number).0"), share: 3) }
        #expect(throws: JobRefusal.shareTaken(3)) { try store.add(try job("4.0"), share: 3) }
        // A job that is already waiting can still be requested.
        #expect(try !store.add(try job("1.0"), share: 3).isCreated)
    }

    @Test func `a job goes through its steps and is done`() async throws {
        let added = try store.add(try job())
        #expect(added.isCreated)
        // Requesting a job that is already waiting adds none.
        #expect(try store.add(try job()).job.identifier == added.job.identifier)
        let worker = Worker(Self.twoSteps)
        #expect(try await run(worker))
        let ended = try #require(try store.job(added.job.identifier))
        #expect(ended.state == .done && ended.attempts == 1 && ended.next == nil)
        #expect(worker.steps.withLock { $0 } == ["sign", "record"])
        #expect(try store.openJobs().isEmpty && store.jobProblems().isEmpty)
    }

    @Test(arguments: [SigningStep.sign, .record])
    func `a job that a process left running begins again at its step`(
        step: SigningStep
    ) async throws {
        let added = try store.add(try job()).job
        try store.changeJob(added.identifier, at: clock.now) { job in
            job.state = .running
            job.attempts = 1
            job.step = step.rawValue
            job.next = nil
        }
        let worker = Worker(Self.twoSteps)
        #expect(try await run(worker))
        #expect(worker.steps.withLock { $0.first } == step.rawValue)
        let ended = try #require(try store.job(added.identifier))
        #expect(ended.state == .done && ended.attempts == 2)
    }

    @Test func `a job that ends its process each time is given up`() async throws {
        let added = try store.add(try job()).job
        let policy = JobPolicy()
        try store.changeJob(added.identifier, at: clock.now) { job in
            job.state = .running
            job.crashes = policy.mostAttempts - 1
        }
        let worker = Worker(Self.twoSteps)
        #expect(try await run(worker))
        #expect(worker.steps.withLock { $0.isEmpty })
        #expect(try store.job(added.identifier)?.state == .failed)
        #expect(try store.activity(count: 1).map(\.event) == [.jobFailed])
    }

    @Test func `what may pass is tried again with growing pauses, and then given up`() async throws
    {
        let added = try store.add(try job()).job
        let worker = Worker { _, _ in
            throw Problem(id: "test.busy", kind: .unavailable, message: "it is busy", fix: "wait")
        }
        var policy = JobPolicy()
        policy.mostAttempts = 3
        var pauses: [TimeInterval] = []
        while let job = try store.job(added.identifier), !job.state.isOver {
            if let next = job.next, next > clock.now {
                pauses.append(next.timeIntervalSince(clock.now))
                // Before that time, nothing is done.
                #expect(try await run(worker, policy: policy))
                clock.advance(by: next.timeIntervalSince(clock.now))
            }
            #expect(try await run(worker, policy: policy))
        }
        #expect(pauses == [5, 10])
        let ended = try #require(try store.job(added.identifier))
        #expect(ended.state == .failed && ended.attempts == 3)
        #expect(ended.reason == "it is busy" && ended.fix == "wait")
        #expect(worker.steps.withLock { $0.count } == 3)
    }

    @Test func `what cannot pass fails at once`() async throws {
        let added = try store.add(try job()).job
        let worker = Worker { _, _ in throw ReleaseRefusal.withdrawn(try #require(added.release)) }
        #expect(try await run(worker))
        #expect(try store.job(added.identifier)?.state == .failed)
        #expect(worker.steps.withLock { $0.count } == 1)
    }

    @Test func `a job that is cancelled while it runs ends before its next step`() async throws {
        let store = store
        let date = clock.now
        let added = try store.add(try job()).job
        let worker = Worker { job, _ in
            try store.changeJob(job.identifier, at: date) { $0.cancelledBy = "ben" }
            return .then(SigningStep.record.rawValue)
        }
        #expect(try await run(worker))
        let ended = try #require(try store.job(added.identifier))
        #expect(ended.state == .cancelled)
        #expect(worker.steps.withLock { $0 } == ["sign"])
    }

    @Test func `only one holder of the lease runs jobs`() async throws {
        _ = try store.add(try job())
        let lease = try store.backend.claim("jobs")
        let worker = Worker(Self.twoSteps)
        #expect(try await !run(worker))
        #expect(worker.steps.withLock { $0.isEmpty })
        withExtendedLifetime(lease) {}
    }

    @Test func `a running job says how far it is, and not at every part`() async throws {
        let store = store
        let added = try store.add(try job()).job
        let seen = Mutex<[JobParts?]>([])
        let worker = Worker { job, count in
            guard count == 1 else { return .done() }
            let meter = JobMeter(store, job.identifier, every: .seconds(3600))
            for part in 1...50 { meter.note(part, of: 50) }
            let changed = try store.job(job.identifier)
            seen.withLock { $0.append(changed?.progress) }
            #expect(changed?.changed == job.changed)
            return .then(SigningStep.record.rawValue)
        }
        #expect(try await run(worker))
        #expect(seen.withLock { $0 } == [JobParts(1, of: 50)])
        let ended = try #require(try store.job(added.identifier))
        #expect(ended.state == .done && ended.progress == nil)
        // A finished job is not changed.
        JobMeter(store, added.identifier).note(2, of: 50)
        #expect(try store.job(added.identifier) == ended)
    }

    @Test func `a fraction of parts is from 0 to 1`() {
        #expect(JobParts(1, of: 4).fraction == 0.25)
        #expect(JobParts(5, of: 4).fraction == 1)
        #expect(JobParts(0, of: 0).fraction == 0)
    }

    @Test func `the blobs of a job are kept until it is done`() async throws {
        let profile = try store.put(Array("a profile".utf8))
        var added = try job()
        added.signing = SigningTask(team: "ABCDE12345", profiles: [profile], reason: "requested")
        _ = try store.add(added)
        #expect(try store.collect(olderThan: 0).blobs == 0)
        #expect(try await run(Worker(Self.twoSteps)))
        #expect(try store.collect(olderThan: 0).blobs == 1)
    }
}
