import Bundles
import Bytes
package import Foundation
package import Inspection
package import Releases

/// The verdicts on a build for every device in use; devices that cannot install it come first.
package struct RegisterVerdicts: Sendable {
    package struct Entry: Sendable {
        package let device: Device
        package let judged: DeviceVerdict

        /// The deciding reason, or what is unknown, in a few words.
        package var why: String {
            let reasons = judged.reasons
            guard let first = reasons.first else {
                return judged.findings.first { $0.devices != nil }?.title ?? ""
            }
            return reasons.count == 1
                ? first.title : "\(first.title), and \((reasons.count - 1).grouped) more"
        }
    }

    /// The devices in use, by name.
    private let devices: [Device]
    /// The verdicts by kind of device.
    private let verdicts: [DeviceVerdict]
    /// For each device, its index in ``verdicts``.
    private let kinds: [Int32]
    /// The indices of the devices, those that cannot install the build first.
    private let order: [Int32]
    package let canInstall: Int
    /// The findings that concern all devices; the verdicts are valid as long as these do not change.
    private let lasting: [Finding]

    package init(of report: InspectionReport, for register: DeviceRegister, at date: Date) {
        var judge = ReportJudge(report, at: date)
        let devices = register.active
        let kinds = devices.map { Int32(judge.kind(of: $0.facts)) }
        self.init(devices, kinds, judge.verdicts, lasting: judge.lasting)
    }

    /// Creates the verdicts on an app that cannot be read, and therefore cannot be installed.
    package init(of archive: UnreadableArchive, for register: DeviceRegister) {
        let devices = register.active
        self.init(devices, devices.map { _ in 0 }, [archive.verdict])
    }

    private init(
        _ devices: [Device],
        _ kinds: [Int32],
        _ verdicts: [DeviceVerdict],
        lasting: [Finding] = [],
    ) {
        self.devices = devices
        self.kinds = kinds
        self.verdicts = verdicts
        self.lasting = lasting
        let isBlocked = verdicts.map { $0.verdict == .blocked }
        let places = devices.indices.map { Int32($0) }
        let blocked = places.filter { isBlocked[Int(kinds[Int($0)])] }
        order = blocked + places.filter { !isBlocked[Int(kinds[Int($0)])] }
        canInstall = devices.count - blocked.count
    }

    package var count: Int { devices.count }

    package var entries: [Entry] { entries() }

    /// - Parameters:
    ///   - after: the number of devices to skip.
    ///   - limit: the most devices to return.
    /// - Returns: the devices with their verdicts.
    package func entries(after: Int = 0, limit: Int = .max) -> [Entry] {
        order.dropFirst(after).prefix(limit).map { place in
            let device = devices[Int(place)]
            let verdict = verdicts[Int(kinds[Int(place)])]
            return Entry(device: device, judged: verdict.concerning(device.facts))
        }
    }

    /// The indices, in the list of devices in use by name, of the devices that can or cannot install the
    /// build.
    package func places(_ canInstall: Bool) -> ArraySlice<Int32> {
        canInstall ? order.suffix(self.canInstall) : order.dropLast(self.canInstall)
    }

    /// Whether the verdicts are still valid on a date, for the same report and register.
    package func hold(of report: InspectionReport, at date: Date) -> Bool {
        lasting == report.findings(at: date).filter { $0.devices == nil }
    }

    /// The approximate size in bytes, without the devices.
    package var cost: Int { 1024 + 8 * kinds.count + 1024 * verdicts.count }

    /// The verdict for all devices together: ``Verdict/unknown`` if it depends on the device, nil for an
    /// empty register.
    package var verdict: Verdict? {
        RegisterCount(self).verdict
    }

    /// The findings that block single devices, without those in `general`, which concern all: each kind
    /// once, with the number of devices.
    package func reasons(beside general: [Finding]) -> [(finding: Finding, devices: Int)] {
        // All devices of a kind have the same reasons, so the first one is enough.
        var counts = verdicts.map { _ in 0 }
        var first: [Int32] = []
        for place in order {
            let kind = Int(kinds[Int(place)])
            if counts[kind] == 0 { first.append(place) }
            counts[kind] += 1
        }
        return first.flatMap { place in
            let kind = Int(kinds[Int(place)])
            let judged = verdicts[kind].concerning(devices[Int(place)].facts)
            return judged.reasons.grouped(by: \.id).compactMap(\.values.first)
                .map { (finding: $0, devices: counts[kind]) }
        }
        .filter { reason in !general.contains { $0.id == reason.finding.id } }
        .grouped(by: \.finding.id)
        .compactMap { _, reasons in
            reasons.first.map { ($0.finding, reasons.reduce(0) { $0 + $1.devices }) }
        }
    }
}

extension Finding {
    /// The cause in a few words.
    package var title: String { Rule.named(id)?.title ?? message }
}
