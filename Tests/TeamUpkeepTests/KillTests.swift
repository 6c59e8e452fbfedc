@testable import AppleServer
import Foundation
import Jobs
import Releases
import TestSupport
import Testing

/// A process that is killed between any two things that it does leaves the next one the same end.
struct KillTests {
    /// Runs the room of `before` with a kill at each point, and compares the ends.
    private func enumerate(
        _ before: UpkeepRoom,
        in folder: URL,
        _ prepare: (UpkeepRoom) throws -> Void,
    ) async throws {
        try prepare(before)
        let whole = folder.appending(path: "whole")
        try FileManager.default.createDirectory(at: whole, withIntermediateDirectories: true)
        let undisturbed = try before.copied(to: whole, until: nil)
        try await undisturbed.settle(within: 7200)
        let expected = try undisturbed.end()
        #expect(expected.openJobs == 0 && expected.isTeamWhole)
        let count = undisturbed.fuse.count
        #expect(count > 20)
        for limit in 0..<count {
            let place = folder.appending(path: "killed-\(limit)")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: place) }
            let killed = try before.copied(to: place, until: limit)
            try? await killed.settle(within: 7200)
            let next = try killed.restarted()
            try await next.settle(within: 14_400)
            #expect(try next.end() == expected, "killed after \(limit) of \(count)")
            #expect(next.api.violations == [])
        }
    }

    @Test func `a device joins`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await UpkeepRoom.made(in: folder)
            try room.approve(1..<2)
            try await room.settle()
            try await enumerate(room, in: folder) { try $0.approve(2..<4) }
        }
    }

    @Test func `a certificate is renewed`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await UpkeepRoom.made(in: folder)
            try room.approve(1..<2)
            try await room.settle()
            try await enumerate(room, in: folder) { room in
                let end = try #require(try room.currentTeam().identity?.expires)
                room.clock.pass(end.timeIntervalSince(room.clock.now) - 20 * 86_400)
            }
        }
    }
}
