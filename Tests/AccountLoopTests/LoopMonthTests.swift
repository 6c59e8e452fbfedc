import Foundation
import Identifiers
import Jobs
import Releases
import Store
import TestSupport
import Testing

/// Weeks in which devices join and leave, Apple fails, people act on Apple's website, and the server crashes
/// at any moment.
@Suite(.timeLimit(.minutes(30)))
struct LoopMonthTests {
    /// Temporary problems at Apple; each is a list of traps.
    private static let faults = [
        #"{"kind": "rateLimited"}"#, #"{"kind": "rateLimited", "retryAfter": 900}"#,
        #"{"kind": "status", "status": 500, "count": 6}"#, #"{"kind": "status", "status": 502}"#,
        #"{"kind": "status", "status": 504, "count": 3}"#, #"{"kind": "cut"}"#,
        #"{"kind": "cutAfter"}"#, #"{"kind": "cutAfter", "method": "POST"}"#,
        #"{"kind": "stale"}"#, #"{"kind": "stale", "count": 2}"#, #"{"kind": "unauthorised"}"#,
        #"{"kind": "agreement", "count": 4}"#, #"{"kind": "role", "method": "POST"}"#,
        #"{"kind": "garbage"}"#, #"{"kind": "huge"}"#, #"{"kind": "foreignLink"}"#,
        #"{"kind": "circularLink"}"#,
    ]

    /// The devices that joined, and their states.
    private struct People {
        var joined = 0
        var gone: Set<Int> = []
        /// Devices that were disabled on Apple's website.
        var disabledThere: Set<Int> = []
        /// How often the server crashed.
        var crashes = 0

        var present: [Int] {
            (0..<joined).filter { !gone.contains($0) && !disabledThere.contains($0) }
        }
    }

    @Test(arguments: TestDepth.isLong ? [1, 2] : [1] as [UInt64])
    func `it ends as Apple says`(seed: UInt64) async throws {
        let (days, most) = TestDepth.isLong ? (30, 200) : (3, 20)
        var random = SeededGenerator(seed: seed)
        var people = People()
        try await withTemporaryFolder { folder in
            let world = try LoopWorld(in: folder, seed: seed)
            let end = world.clock.now + Double(days) * 86_400
            let step = Double(days) * 86_400 / Double(most) / 1.5
            while world.clock.now < end {
                try Self.happen(&people, most, in: world, &random)
                let until = min(world.clock.now + step, end)
                while world.clock.now < until {
                    // Every other server crashes after some change.
                    let fuse =
                        Bool.random(using: &random)
                        ? ProcessEnd() : ProcessEnd(after: Int.random(in: 1...30, using: &random))
                    let process = try LoopProcess(in: world, fuse)
                    do {
                        try await process.run(until: until)
                    } catch {
                        guard fuse.isBurnt else { throw error }
                    }
                    guard fuse.isBurnt else { continue }
                    people.crashes += 1
                    world.clock.pass(5)
                }
            }
            try await Self.settle(people, in: world)
            try Self.compare(people, in: world)
        }
    }

    /// Does one of the things that may happen.
    private static func happen(
        _ people: inout People,
        _ most: Int,
        in world: LoopWorld,
        _ random: inout SeededGenerator,
    ) throws {
        if people.joined < most, Int.random(in: 0..<4, using: &random) > 0 {
            let count = min(Int.random(in: 1...3, using: &random), most - people.joined)
            for _ in 0..<count {
                let number = people.joined
                // Apple allows a hundred devices of each family.
                let family = number.isMultiple(of: 2) ? ProductFamily.iphone : .ipad
                let udid = try LoopWorld.udid(number).rawValue
                if family == .ipad {
                    world.apple.order(
                        #"{"devices": [{"udid": "\#(udid)", "deviceClass": "IPAD"}]}"#
                    )
                }
                try world.join(number, family: family)
                people.joined += 1
            }
        }
        if let number = people.present.randomElement(using: &random) {
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                try world.leave(number)
                people.gone.insert(number)
            case 1 where try world.isAtApple(number):
                try world.set("DISABLED", number)
                people.disabledThere.insert(number)
            default: break
            }
        }
        let isForgiven = Bool.random(using: &random)
        if isForgiven, let number = people.disabledThere.randomElement(using: &random) {
            try world.set("ENABLED", number)
            people.disabledThere.remove(number)
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let status = Bool.random(using: &random) ? "PROCESSING" : "ENABLED"
            world.apple.order(#"{"newDeviceStatus": "\#(status)"}"#)
        case 1: world.apple.order(#"{"finishesProcessing": true}"#)
        default:
            let fault = faults.randomElement(using: &random) ?? ""
            let skip = Int.random(in: 0...6, using: &random)
            world.apple.order(
                #"{"traps": [\#(fault.dropLast()), "skip": \#(skip)}]}"#
            )
        }
    }

    /// Stops all problems, and waits as long as Apple may take.
    private static func settle(_ people: People, in world: LoopWorld) async throws {
        world.apple.order(
            #"{"clearsTraps": true, "newDeviceStatus": "ENABLED", "finishesProcessing": true}"#
        )
        let process = try LoopProcess(in: world)
        try await process.run(until: world.clock.now + 4 * 86_400)
        try await process.settle()
    }

    /// Checks that register, profile, build and Apple agree.
    private static func compare(_ people: People, in world: LoopWorld) throws {
        let store = try world.store()
        let report = try world.apple.report()
        #expect(report.violations == [])
        let present = Set(try people.present.map { try LoopWorld.udid($0) })
        let register = try store.devices().devices
        let there = Dictionary(
            uniqueKeysWithValues: report.devices.map {
                ($0.attributes.udid ?? "", $0.attributes.status ?? "")
            }
        )
        // Each was registered at most once; one that left before its registration never was.
        #expect(there.count == report.devices.count)
        for device in register {
            let status = there[device.udid.rawValue]
            switch device.state {
            case .registered: #expect(status != nil, "\(device.name)")
            case .disabled: #expect(status == "DISABLED" || status == nil, "\(device.name)")
            default: Issue.record("\(device.name) is \(device.state.rawValue)")
            }
        }
        for device in register where present.contains(device.udid) {
            #expect(there[device.udid.rawValue] == "ENABLED", "\(device.name)")
        }
        #expect(report.profiles.count == 1)
        let profile = try #require(report.profiles.first)
        #expect(profile.attributes.profileState == "ACTIVE")
        let listed = Set(report.profileDevices[profile.id]?.compactMap(DeviceUDID.init) ?? [])
        #expect(try world.listed() == listed)
        // A removed device is no longer in the profile.
        #expect(present.isSubset(of: listed))
        #expect(listed.isDisjoint(with: try people.gone.map { try LoopWorld.udid($0) }))
        #expect(listed.isSubset(of: register.map(\.udid)))
        #expect(try world.currentTeam().account?.trouble == nil)
        #expect(try store.openJobs().isEmpty)
        #expect(report.certificates.count == 1)
        print(
            "\(people.joined) devices joined, \(people.gone.count) left,",
            "the server ended \(people.crashes) times,",
            "Apple made \(report.done("POST", "profiles")) profiles and answered",
            "\(report.requests.count) requests, \(report.requests.count { $0.status >= 300 })",
            "with a failure",
        )
    }
}

extension LoopWorld {
    fileprivate func isAtApple(_ number: Int) throws -> Bool {
        let udid = try Self.udid(number).rawValue
        return try apple.report().devices.contains { $0.attributes.udid == udid }
    }

    /// Sets a device's status, as on Apple's website.
    fileprivate func set(_ status: String, _ number: Int) throws {
        let udid = try Self.udid(number).rawValue
        apple.order(#"{"devices": [{"udid": "\#(udid)", "status": "\#(status)"}]}"#)
    }
}
