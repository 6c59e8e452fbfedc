@testable import AppleServer
import Foundation
import Identifiers
import Releases
import Store
import TestSupport
import Testing

/// A month in which devices come and go while Apple fails in every way.
struct MonthTests {
    private static let traps = [
        #"{"kind": "rateLimited", "retryAfter": 30, "count": 2}"#,
        #"{"kind": "rateLimited", "count": 3}"#, #"{"kind": "status", "status": 502, "count": 9}"#,
        #"{"kind": "cut", "count": 2}"#, #"{"kind": "cutAfter", "method": "POST"}"#,
        #"{"kind": "cutAfter", "method": "DELETE"}"#, #"{"kind": "garbage"}"#,
        #"{"kind": "stale", "count": 2}"#, #"{"kind": "unauthorised", "count": 3}"#,
        #"{"kind": "agreement", "count": 2}"#, #"{"kind": "role"}"#, #"{"kind": "huge"}"#,
    ]

    @Test func `a month with faults ends with both registers in agreement`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await UpkeepRoom.made(in: folder)
            var chance = Chance(state: 2026)
            var count = 1
            for _ in 0..<30 {
                for _ in 0..<Int(chance.next() % 3) {
                    let trap = Self.traps[Int(chance.next() % UInt64(Self.traps.count))]
                    room.api.order(#"{"traps": [\#(trap)]}"#)
                }
                let isSlow = chance.next() % 4 == 0
                room.api.order(
                    #"{"newDeviceStatus": "\#(isSlow ? "PROCESSING" : "ENABLED")"}"#
                )
                let more = min(Int(chance.next() % 7), 95 - count)
                try room.approve(count..<count + more)
                count += more
                if chance.next() % 5 == 0, count > 3 {
                    let gone = try room.udid(1 + Int(chance.next() % UInt64(count - 1)))
                    let now = room.clock.now
                    try room.store.changeDevices { register in
                        guard register[gone]?.state != .disabled else { return }
                        try register.disable(gone, at: now)
                    }
                }
                try await room.settle(within: 12 * 3600)
                room.api.order(#"{"finishesProcessing": true}"#)
                room.clock.pass(12 * 3600)
            }
            room.api.order(#"{"newDeviceStatus": "ENABLED"}"#)
            try await room.settle(within: 3 * 86_400)
            let devices = try room.store.devices().devices
            let account = room.api.account
            #expect(devices.count == count - 1)
            #expect(!devices.contains { $0.state == .approved })
            let used = Set(devices.filter { $0.state == .registered }.map(\.udid.rawValue))
            let enabled = account.devices.filter { $0.status == "ENABLED" }.map(\.udid)
            #expect(Set(enabled) == used && enabled.count == used.count)
            #expect(try Set(room.listed().map(\.rawValue)).isSuperset(of: used))
            let end = try room.end()
            #expect(end.profiles.count == 1 && end.isTeamWhole && end.openJobs == 0)
            #expect(room.api.violations == [])
        }
    }
}

/// Numbers that look random, the same ones each time.
private struct Chance {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }
}
