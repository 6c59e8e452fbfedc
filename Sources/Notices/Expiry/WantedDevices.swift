import Bundles
import Bytes
import Cryptography
import Identifiers
package import Inspection
package import Releases
package import Store
import Synchronization

/// The devices that builds should reach, indexed so that finding those that a build does not list takes
/// time proportional only to the build's own lists.
package final class WantedDevices: Sendable {
    private struct State {
        var candidates: [[DeviceFamily]: Candidates] = [:]
        /// By the digest of the build's report.
        var found = RecentValues<SHA256Digest, MissingDevices>(limit: 16 << 20)
    }

    /// Sorted by name.
    private let devices: [Device]
    private let state = Mutex(State())

    /// - Parameters:
    ///   - register: the devices; those awaiting approval and disabled ones are left out.
    ///   - isCounted: whether a device is included.
    package init(in register: DeviceRegister, where isCounted: (Device) -> Bool = { _ in true }) {
        devices = register.active.filter {
            ($0.state == .approved || $0.state == .registered) && isCounted($0)
        }
    }

    /// Returns the devices that a release does not list and that could otherwise run it.
    ///
    /// - Parameters:
    ///   - release: the build.
    ///   - report: reads the build's report; not called if the result is cached.
    /// - Returns: those devices.
    /// - Throws: what `report` throws.
    package func missing<Failure: Error>(
        from release: Release,
        report: () throws(Failure) -> InspectionReport,
    ) throws(Failure) -> MissingDevices {
        if let found = state.withLock({ $0.found.value(release.report) }) { return found }
        let report = try report()
        let families = report.identity.families.compactMap(DeviceFamily.init(name:))
        let missing = MissingDevices(of: report, among: candidates(for: families))
        state.withLock {
            $0.found.keep(missing, for: release.report, cost: 256 + 32 * missing.listed.count)
        }
        return missing
    }

    private func candidates(for families: [DeviceFamily]) -> Candidates {
        if let known = state.withLock({ $0.candidates[families] }) { return known }
        let made = Candidates(
            devices.filter { device in
                guard let family = device.family.deviceFamily else { return false }
                return families.isEmpty || family.runs(appsFor: families)
            }
        )
        state.withLock { state in
            // There are few families, but reports are untrusted and may claim many.
            if state.candidates.count >= 64 { state.candidates = [:] }
            state.candidates[families] = made
        }
        return made
    }
}

/// The wanted devices that builds for the same device families can run on.
final class Candidates: Sendable {
    /// Sorted by name.
    let devices: [Device]
    private let places: [DeviceUDID: Int]
    private let known = Mutex<(whole: DeviceSum, each: [DeviceSum])?>(nil)

    init(_ devices: [Device]) {
        self.devices = devices
        places = Dictionary(devices.enumerated().map { ($1.udid, $0) }) { first, _ in first }
    }

    func place(of device: DeviceUDID) -> Int? { places[device] }

    /// The sum of all devices, and the sum of each device.
    var sums: (whole: DeviceSum, each: [DeviceSum]) {
        if let known = known.withLock(\.self) { return known }
        let each = devices.map { DeviceSum(of: $0.udid) }
        let sums = (each.reduce(into: DeviceSum()) { $0.add($1) }, each)
        known.withLock { $0 = sums }
        return sums
    }
}

/// Distinguishes sets of devices without containing their identifiers: the sum of their digests.
struct DeviceSum: Equatable {
    private var high: UInt64 = 0
    private var low: UInt64 = 0

    init() {}

    init(of device: DeviceUDID) {
        let bytes = SHA256Digest(of: Array(device.rawValue.utf8)).bytes
        for byte in bytes[..<8] { high = high << 8 | UInt64(byte) }
        for byte in bytes[8..<16] { low = low << 8 | UInt64(byte) }
    }

    mutating func add(_ other: DeviceSum) {
        high &+= other.high
        low &+= other.low
    }

    mutating func subtract(_ other: DeviceSum) {
        high &-= other.high
        low &-= other.low
    }

    /// 32 hexadecimal digits.
    var text: String {
        Hex.encode(
            [high, low].flatMap { number in
                stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
            }
        )
    }
}

extension OTAStore {
    /// The devices that builds should reach, cached until the register of devices changes.
    package func wantedDevices() throws(StoreFailure) -> WantedDevices {
        try derived("wanted devices", of: ["devices.json"]) { () throws(StoreFailure) in
            WantedDevices(in: try devices())
        }
    }
}
