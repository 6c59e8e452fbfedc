import Bundles
import Foundation
import Inspection
import Releases

/// Findings and what they are about, for people.
struct FindingsText {
    let style: Style

    /// The build in two lines: what it is, and for whom.
    func heading(_ report: InspectionReport) -> String {
        let identity = report.identity
        let version = "\(identity.version ?? "no version") (\(identity.build ?? "no build"))"
        var facts = [
            identity.bundleIdentifier?.rawValue ?? "no identifier", Wording.size(identity.size),
        ]
        if let minimum = identity.minimumOS { facts.append("iOS \(minimum) or later") }
        if let profile = report.profile {
            let devices = profile.devices.map { ", " + Wording.count($0.count, "device") } ?? ""
            facts.append(profile.type.title + devices)
        }
        return style.strong("\(identity.name.printable) \(version.printable)") + "\n"
            + style.faint(facts.joined(separator: " · ").printable)
    }

    func list(_ findings: [Finding]) -> String {
        findings.map(one).joined(separator: "\n")
    }

    func verdict(_ verdict: Verdict, installsUntil: Date?, at date: Date) -> String {
        let expiry = installsUntil.map { " " + Wording.expiry($0, at: date) } ?? ""
        return switch verdict {
        case .installs: style.good("Installs.") + expiry
        case .blocked: style.bad("Blocked:") + " it does not install."
        case .unknown:
            style.good("Installs") + " on the devices that its profile lists." + expiry
                + "\nAsk about one with --device UDID."
        }
    }

    private func one(_ finding: Finding) -> String {
        let mark =
            switch finding.severity {
            case .blocks: style.bad("✗ \(finding.id)")
            case .warns: style.warning("! \(finding.id)")
            case .notes: style.faint("· \(finding.id)")
            }
        let code = finding.appleCode.map { style.faint("  " + $0) } ?? ""
        return """
            \(mark)\(code)
                \(finding.message.printable)
                \(style.faint("at"))   \(finding.place.printable)
                \(style.faint("mend")) \(finding.mend.printable)
            """
    }
}
