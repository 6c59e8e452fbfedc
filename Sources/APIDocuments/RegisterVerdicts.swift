import Bundles
package import Foundation
package import Inspection
package import Releases

/// What a build means for every device in use; those that cannot install it come first.
package struct RegisterVerdicts: Sendable {
    package struct Entry: Sendable {
        package let device: Device
        package let judged: DeviceVerdict

        /// What decides, or is not known, in a few words.
        package var why: String {
            let reasons = judged.reasons
            guard let first = reasons.first else {
                return judged.findings.first { $0.devices != nil }?.title ?? ""
            }
            return reasons.count == 1
                ? first.title : "\(first.title), and \(reasons.count - 1) more"
        }
    }

    package let entries: [Entry]
    package let canInstall: Int

    package init(of report: InspectionReport, for register: DeviceRegister, at date: Date) {
        var judge = ReportJudge(report, at: date)
        self.init(register) { judge.verdict(for: $0.facts) }
    }

    /// An app that cannot be read cannot be installed.
    package init(of archive: UnreadableArchive, for register: DeviceRegister) {
        self.init(register) { _ in archive.verdict }
    }

    private init(_ register: DeviceRegister, judging: (Device) -> DeviceVerdict) {
        let all = register.active.map { Entry(device: $0, judged: judging($0)) }
        let blocked = all.filter { $0.judged.verdict == .blocked }
        let others = all.filter { $0.judged.verdict != .blocked }
        entries = blocked + others
        canInstall = others.count
    }

    /// For all of them together: ``Verdict/unknown`` where it depends on the device, nil for an empty
    /// register.
    package var verdict: Verdict? {
        RegisterCount(self).verdict
    }

    /// What blocks single devices, whatever the build's own findings in `general` say of all: each
    /// kind once, with how many devices it concerns.
    package func reasons(beside general: [Finding]) -> [(finding: Finding, devices: Int)] {
        entries.flatMap { entry in
            entry.judged.reasons.grouped(by: \.id).compactMap(\.values.first)
        }
        .filter { reason in !general.contains { $0.id == reason.id } }
        .grouped(by: \.id)
        .compactMap { _, findings in findings.first.map { ($0, findings.count) } }
    }
}

extension Finding {
    /// The cause in a few words.
    package var title: String { Rule.named(id)?.title ?? message }
}
