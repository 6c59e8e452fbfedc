import Bundles
import Foundation
import Identifiers
import Inspection
@testable import Notices
import Releases
import Store
import StoreFixtures
import TestSupport
import Testing

/// Missing devices are found from a build's own lists, with the same result as a search through all devices.
struct WantedDevicesTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private static func udid(_ number: Int) throws -> DeviceUDID {
        let digits = String(number)
        return try #require(DeviceUDID(String(repeating: "0", count: 40 - digits.count) + digits))
    }

    private static func register(
        _ count: Int,
        using generator: inout SeededGenerator,
    ) throws -> DeviceRegister {
        var register = DeviceRegister()
        for number in 0..<count {
            let device = Device(
                udid: try udid(number),
                name: "Device \(Int.random(in: 0..<30, using: &generator))",
                family: try #require([.iphone, .ipad, .mac].randomElement(using: &generator)),
                state: try #require(
                    [.enrolled, .approved, .registered].randomElement(using: &generator)
                ),
                added: now,
            )
            try register.add(device, at: now, by: "a test")
        }
        return register
    }

    private static func report(
        listing devices: [DeviceUDID]?,
        families: [String],
    ) throws -> InspectionReport {
        let base = try StoredRelease().report
        let profile = ProfileSummary(
            uuid: "LIMITED",
            name: "Limited",
            type: .adHoc,
            team: "ABCDE12345",
            teamName: "Example",
            applicationIdentifier: nil,
            created: now,
            expires: now + 300 * 86_400,
            devices: devices,
            trust: .apple,
            certificates: [],
        )
        return InspectionReport(
            identity: AppIdentity(
                bundleIdentifier: base.identity.bundleIdentifier,
                name: "Forks",
                version: "1.0",
                build: "1",
                minimumOS: nil,
                families: families,
                size: 1,
                sha256: base.identity.sha256,
                path: "Payload/Forks.app",
            ),
            profile: profile,
            nested: [],
            findings: [],
            inspected: now,
            installsUntil: nil,
        )
    }

    /// Checks every device in turn.
    private static func search(
        _ register: DeviceRegister,
        _ listed: [DeviceUDID]?,
        _ families: [String],
    ) -> [DeviceUDID] {
        guard let listed, !listed.isEmpty else { return [] }
        let known = families.compactMap(DeviceFamily.init(name:))
        return register.active.filter { device in
            guard device.state == .approved || device.state == .registered,
                let family = device.family.deviceFamily
            else { return false }
            return (known.isEmpty || family.runs(appsFor: known)) && !listed.contains(device.udid)
        }.map(\.udid)
    }

    @Test(arguments: TestDepth.seeds(20, long: 400))
    func `what a build lacks is what a search through all devices finds`(seed: UInt64) async throws
    {
        var generator = SeededGenerator(seed: seed)
        let register = try Self.register(60, using: &generator)
        let wanted = WantedDevices(in: register)
        var fingerprints: [String: [DeviceUDID]] = [:]
        var found = 0
        try await NoticeDesk.run { desk in
            for build in 1...12 {
                let share = Double.random(in: 0...1, using: &generator)
                let numbers = (0..<80).filter { _ in
                    Double.random(in: 0...1, using: &generator) < share
                }
                let listed = build == 1 ? nil : try numbers.map(Self.udid)
                let families =
                    [["iphone"], ["ipad"], ["iphone", "ipad"], []]
                    .randomElement(using: &generator) ?? []
                let report = try Self.report(listing: listed, families: families)
                var stored = StoredRelease()
                stored.build = "\(build)"
                let release = try stored.release(report: report, into: desk.store)
                let missing = wanted.missing(from: release) { report }
                let expected = Self.search(register, listed, families)
                #expect(missing.first(.max).map(\.udid) == expected)
                #expect(missing.count == expected.count)
                #expect(missing.first(2).map(\.udid) == Array(expected.prefix(2)))
                #expect(missing.isEmpty == expected.isEmpty)
                let sameBefore = fingerprints[missing.fingerprint]
                #expect(Set(sameBefore ?? expected) == Set(expected))
                #expect(
                    fingerprints.count { Set($0.value) == Set(expected) }
                        == (sameBefore == nil ? 0 : 1)
                )
                fingerprints[missing.fingerprint] = expected
                found += expected.count
                // The second time, the report is not read.
                let again = wanted.missing(from: release) { () -> InspectionReport in
                    Issue.record("the report was read again")
                    return report
                }
                #expect(again.first(.max).map(\.udid) == expected)
            }
        }
        #expect(found > 0)
    }

    @Test func `the store's devices are arranged anew when one changes`() async throws {
        try await NoticeDesk.run { desk in
            let store = OTAStore(backend: desk.store.backend, interval: .seconds(1))
            func add(_ number: Int) throws {
                let device = Device(
                    udid: try Self.udid(number),
                    name: "Ana",
                    family: .iphone,
                    state: .approved,
                    added: desk.now,
                )
                try store.changeDevices { try $0.add(device, at: desk.now, by: "a test") }
            }
            try add(1)
            // A document that was just written may be written again with the same timestamp.
            var first = try store.wantedDevices()
            var isKept = false
            for _ in 0..<200 where !isKept {
                try await Task.sleep(for: .milliseconds(50))
                let next = try store.wantedDevices()
                isKept = next === first
                first = next
            }
            #expect(isKept)
            try add(2)
            #expect(try store.wantedDevices() !== first)
        }
    }
}
