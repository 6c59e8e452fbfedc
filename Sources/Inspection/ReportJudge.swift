import Bundles
package import Essentials
import Identifiers

/// Judges many devices against one report on one day.
///
/// Findings that do not depend on the device are computed once. A verdict depends only on the device's
/// kind and on which profiles list it, and few devices differ in both, so each combination is judged
/// once; verdicts for devices of the same combination differ only in ``Finding/devices``.
package struct ReportJudge {
    /// The facts on which a verdict depends.
    private struct Kind: Hashable {
        let family: DeviceFamily?
        let os: OSVersion?
        let model: String?
        let hasUDID: Bool
        /// For each profile with a device list, whether it lists the device.
        let isListed: [Bool]
    }

    private let report: InspectionReport
    /// The findings that hold for every device on that day.
    package let lasting: [Finding]
    private let lists: [Set<DeviceUDID>]
    private var places: [Kind: Int] = [:]
    /// The verdicts so far, one for each kind of device, each with the UDID of the first device of the
    /// kind.
    package private(set) var verdicts: [DeviceVerdict] = []

    /// - Parameters:
    ///   - report: the report on the build.
    ///   - date: the present.
    package init(_ report: InspectionReport, at date: Date) {
        self.report = report
        lasting = report.findings(at: date).filter { $0.devices == nil }
        var lists: [Set<DeviceUDID>] = []
        for (_, profile) in report.profiles {
            guard let devices = profile.devices else { continue }
            let list = Set(devices)
            // Most bundles of a build have profiles with the same devices.
            if !lists.contains(list) { lists.append(list) }
        }
        self.lists = lists
    }

    /// Returns the same as ``InspectionReport/verdict(for:at:)``.
    package mutating func verdict(for device: DeviceFacts) -> DeviceVerdict {
        verdicts[kind(of: device)].concerning(device)
    }

    /// The index in ``verdicts`` of the verdict on `device`.
    package mutating func kind(of device: DeviceFacts) -> Int {
        let kind = Kind(
            family: device.family,
            os: device.os,
            model: device.model,
            hasUDID: device.udid != nil,
            isListed: device.udid.map { udid in lists.map { $0.contains(udid) } } ?? [],
        )
        if let known = places[kind] { return known }
        places[kind] = verdicts.count
        verdicts.append(report.verdict(for: device, beside: lasting))
        return verdicts.count - 1
    }
}

extension DeviceVerdict {
    /// The same verdict for another device of the same kind.
    package func concerning(_ device: DeviceFacts) -> DeviceVerdict {
        var verdict = self
        for index in findings.indices where findings[index].devices != nil {
            verdict.findings[index].devices = device.concerned
        }
        return verdict
    }
}
