import Bundles
import Foundation
import Inspection
import Releases

/// What a build means for every device in use; those that cannot install it come first.
struct RegisterVerdicts {
    struct Entry {
        let device: Device
        let judged: DeviceVerdict

        /// What decides, or is not known, in a few words.
        var why: String {
            let reasons = judged.reasons
            guard let first = reasons.first else {
                return judged.findings.first { $0.devices != nil }?.title ?? ""
            }
            return reasons.count == 1
                ? first.title : "\(first.title), and \(reasons.count - 1) more"
        }
    }

    let entries: [Entry]
    let canInstall: Int

    init(of report: InspectionReport, for register: DeviceRegister, at date: Date) {
        self.init(register) { report.verdict(for: $0.facts, at: date) }
    }

    /// Nobody can install what cannot be read.
    init(of archive: UnreadableArchive, for register: DeviceRegister) {
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
    var verdict: Verdict? {
        switch canInstall {
        case _ where entries.isEmpty: nil
        case 0: .blocked
        case entries.count: .installs
        default: .unknown
        }
    }

    /// What blocks single devices, whatever the build's own findings in `general` say of all: each
    /// kind once, with how many devices it concerns.
    func reasons(beside general: [Finding]) -> [(finding: Finding, devices: Int)] {
        entries.flatMap { entry in
            entry.judged.reasons.grouped(by: \.id).compactMap(\.values.first)
        }
        .filter { reason in !general.contains { $0.id == reason.id } }
        .grouped(by: \.id)
        .compactMap { _, findings in findings.first.map { ($0, findings.count) } }
    }
}

extension RegisterVerdicts {
    /// As in `12 of 15 devices can install it.`, which is a sentence.
    var sentence: String {
        "\(canInstall) of \(Wording.count(entries.count, "device")) can install it."
    }

    /// The same beside another result, with the command that says more.
    func sentence(explainedBy command: String) -> String {
        guard canInstall < entries.count else {
            return entries.count == 1
                ? "The one registered device can install it."
                : "All \(entries.count) registered devices can install it."
        }
        return "\(canInstall) of \(Wording.count(entries.count, "registered device")) can install "
            + "it; \(command) says why."
    }

    func table(style: Style) -> String {
        var table = Table(["DEVICE", "MODEL", "OS", "VERDICT", "WHY"])
        for entry in entries {
            let device = entry.device
            let isGood = entry.judged.verdict == .installs
            let paint = isGood ? style.good : style.bad
            let paintReason = isGood ? style.faint : style.unchanged
            table.add([
                Table.Cell(device.name, paint: style.strong),
                Table.Cell(device.model ?? device.family.title),
                Table.Cell(device.os?.description ?? "–"),
                Table.Cell(entry.judged.verdict.rawValue, paint: paint),
                Table.Cell(entry.why, paint: paintReason),
            ])
        }
        return table.text(style: style)
    }
}

extension Finding {
    /// The cause in a few words.
    var title: String { Rule.named(id)?.title ?? message }
}
