import Bundles
package import Essentials
import Identifiers

/// Judges many devices against one report on one day.
///
/// What does not depend on the device is judged once. Of a device only its kind counts and which
/// profiles list it, and few devices differ in both: each combination is judged, and its sentences are
/// written, once; a verdict on another device like it differs in whom it concerns.
package struct ReportJudge {
    /// What a verdict depends on.
    private struct Kind: Hashable {
        let family: DeviceFamily?
        let os: OSVersion?
        let model: String?
        let hasUDID: Bool
        /// Whether each profile with a list has the device.
        let isListed: [Bool]
    }

    private let report: InspectionReport
    /// What holds for every device on the day.
    package let lasting: [Finding]
    private let lists: [Set<DeviceUDID>]
    private var places: [Kind: Int] = [:]
    /// The verdicts on the kinds of devices so far, each as it was on the first one.
    package private(set) var verdicts: [DeviceVerdict] = []

    /// - Parameters:
    ///   - report: what is known of the build.
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

    /// The same as ``InspectionReport/verdict(for:at:)``.
    package mutating func verdict(for device: DeviceFacts) -> DeviceVerdict {
        verdicts[kind(of: device)].concerning(device)
    }

    /// The place in ``verdicts`` of the one on a device.
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
    /// The same of another device of its kind.
    package func concerning(_ device: DeviceFacts) -> DeviceVerdict {
        var verdict = self
        for index in findings.indices where findings[index].devices != nil {
            verdict.findings[index].devices = device.concerned
        }
        return verdict
    }
}
