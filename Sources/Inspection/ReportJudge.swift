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
    private let lasting: [Finding]
    private let lists: [Set<DeviceUDID>]
    private var known: [Kind: DeviceVerdict] = [:]

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
        let kind = Kind(
            family: device.family,
            os: device.os,
            model: device.model,
            hasUDID: device.udid != nil,
            isListed: device.udid.map { udid in lists.map { $0.contains(udid) } } ?? [],
        )
        guard var verdict = known[kind] else {
            let verdict = report.verdict(for: device, beside: lasting)
            known[kind] = verdict
            return verdict
        }
        for index in verdict.findings.indices where verdict.findings[index].devices != nil {
            verdict.findings[index].devices = device.concerned
        }
        return verdict
    }
}
