import Cryptography
import Foundation
import Identifiers
import Jobs
import ReleaseSigning
import Releases
import Sample
import Store
import TestSupport
import Testing

/// Jobs that run long after they were queued, and what has changed since then.
struct LateSigningTests {
    private static let month: TimeInterval = 30 * 86_400

    private func withRoom(_ body: (SigningRoom) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in try await body(SigningRoom(in: folder)) }
    }

    /// Checks that a job failed, and that the release is unchanged.
    private func expectFailure(
        of job: Job,
        in room: SigningRoom,
        sourceLocation: SourceLocation = #_sourceLocation,
    ) throws {
        let ended = try #require(try room.store.job(job.identifier))
        #expect(ended.state == .failed, sourceLocation: sourceLocation)
        #expect(try room.current() == room.release, sourceLocation: sourceLocation)
    }

    @Test func `a profile that ended before the job began signs nothing`() async throws {
        try await withRoom { room in
            let job = try room.queue([try room.profile(devices: 3, until: Self.month)])
            try await room.run(after: Self.month + 1)
            try expectFailure(of: job, in: room)
        }
    }

    @Test func `what was made is not recorded once its profile has ended`() async throws {
        try await withRoom { room in
            let job = try room.queue([try room.profile(devices: 3, until: Self.month)])
            #expect(try await room.make(job).signing?.made != nil)
            try await room.run(after: Self.month + 1)
            try expectFailure(of: job, in: room)
        }
    }

    @Test func `what was made is not recorded once the team is gone or has another key`()
        async throws
    {
        try await withRoom { room in
            let job = try room.queue([try room.profile(devices: 3)])
            _ = try await room.make(job)
            try room.store.changeTeam(room.team) { team in
                team.identity = TeamIdentity(
                    room.authority.development,
                    of: room.team,
                    sealedWith: SealingKey(random: randomBytes),
                )
            }
            try await room.run()
            try expectFailure(of: job, in: room)
        }
        try await withRoom { room in
            let job = try room.queue([try room.profile(devices: 3)])
            _ = try await room.make(job)
            _ = try room.store.removeTeam(room.team)
            try await room.run()
            try expectFailure(of: job, in: room)
        }
    }

    @Test func `what was made before a newer signing is made again`() async throws {
        try await withRoom { room in
            let job = try room.queue([try room.profile(devices: 3)])
            let made = try #require(try await room.make(job).signing?.made)
            try room.store.changeJob(job.identifier, at: room.date) { $0.state = .cancelled }
            _ = try room.queue([try room.profile(devices: 2)])
            try await room.run(after: 7400)
            let newer = try #require(try room.current().lastSigning)
            #expect(newer.devices == 2)

            try room.store.changeJob(job.identifier, at: room.date) { $0.state = .waiting }
            try await room.run(after: 7500)
            #expect(try room.store.job(job.identifier)?.state == .done)
            let signings = try #require(try room.current().signings)
            #expect(signings.count == 2 && signings.first == newer)
            #expect(signings.last?.sha256 != made.sha256)
            #expect(signings.last?.date == room.date + 7500)
        }
    }

    @Test func `a step that is done again soon names the same time, and later the present`()
        async throws
    {
        try await withRoom { room in
            let job = try room.queue([try room.profile(devices: 3)])
            let first = try await room.make(job, after: 7300)
            #expect(first.signing?.made?.date == room.date + 7300)
            let soon = try await room.make(first, after: 7400)
            #expect(soon.signing?.made?.date == room.date + 7300)
            try await room.run(after: 100_000)
            // The signing is still up to date, and is not repeated.
            #expect(try room.current().lastSigning?.date == room.date + 7300)
        }
        try await withRoom { room in
            let job = try room.queue([try room.profile(devices: 3)])
            var late = try await room.make(job, after: 7300)
            late = try room.store.changeJob(job.identifier, at: room.date) { job in
                job.signing?.made = nil
                job.step = SigningStep.sign.rawValue
            }
            try await room.run(after: 100_000)
            #expect(try room.current().lastSigning?.date == room.date + 100_000)
            #expect(late.signing?.begun == room.date + 7300)
        }
    }
}
