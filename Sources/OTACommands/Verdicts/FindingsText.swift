import APIDocuments
import Administration
import Bundles
import Foundation
import Identifiers
import Inspection
import Releases

/// Formats findings for people.
struct FindingsText {
    let style: Style

    /// The build in two lines: its name, and the devices that it is for.
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

    /// The same for a release, with the name under which it is published.
    func heading(_ card: ReleaseCardDocument) -> String {
        let release = card.release
        var facts = [release.app, Wording.size(release.size)]
        if let minimum = release.minimumOS { facts.append("iOS \(minimum) or later") }
        if let profile = card.profile {
            let devices = profile.devices.map { ", " + Wording.count($0, "device") } ?? ""
            facts.append(profile.type.title + devices)
        }
        return style.strong("\(release.name) \(release.version) (\(release.build))".printable)
            + "\n"
            + style.faint(facts.joined(separator: " · ").printable)
    }

    /// Grouped by place, and at each place by rule; the fix is printed only where a rule appears first.
    func list(_ findings: [Finding]) -> String {
        var reported: Set<String> = []
        return findings.grouped(by: \.place).map { place, findings in
            let rules = findings.grouped { Heading($0) }.map { heading, findings in
                var lines = [mark(heading)] + findings.map { "    \($0.message.printable)" }
                if reported.insert(heading.id).inserted, let first = findings.first {
                    lines += advice(first)
                }
                return lines.map { "  " + $0 }.joined(separator: "\n")
            }
            return style.strong(place.printable) + "\n" + rules.joined(separator: "\n")
        }
        .joined(separator: "\n\n")
    }

    /// What blocks individual devices, each kind once.
    func list(_ reasons: [FindingDocument]) -> String {
        reasons.map { reason in
            let finding = reason.finding
            let count = style.faint("  " + Wording.count(reason.devices ?? 0, "device"))
            return ([mark(Heading(finding)) + count] + advice(finding)).joined(separator: "\n")
        }
        .joined(separator: "\n")
    }

    /// The verdict; with `expiry`, until when it holds, and why not longer.
    func verdict(_ verdict: Verdict, expiry: Expiry?, at date: Date) -> String {
        let forecast = expiry.map { $0.sentence(at: date) }
        let isOver = expiry.map { $0.date <= date } ?? false
        return switch verdict {
        case .installs:
            [style.good("Installs."), forecast].lines
        case .blocked:
            [style.bad("Blocked:") + " it cannot be installed.", isOver ? forecast : nil].lines
        case .unknown:
            [style.good("Installs") + " on the devices in its profile.", forecast].lines
        }
    }

    private func mark(_ heading: Heading) -> String {
        let mark =
            switch heading.severity {
            case .blocks: style.bad("✗ \(heading.id)")
            case .warns: style.warning("! \(heading.id)")
            case .notes: style.faint("· \(heading.id)")
            }
        let code = heading.appleCode.map { style.faint("  " + $0) } ?? ""
        let version = heading.blocksFrom.map { style.warning("  blocks iOS \($0) and later") } ?? ""
        return mark + code + version
    }

    private func advice(_ finding: Finding) -> [String] {
        let phone = finding.phone.map { ["    \(style.faint("phone")) \($0.sentence)"] } ?? []
        return phone + ["    \(style.faint("fix"))   \(finding.fix.printable)"]
    }
}

/// What findings that are listed together have in common.
private struct Heading: Hashable {
    let id: String
    let severity: Severity
    let appleCode: String?
    let blocksFrom: OSVersion?

    init(_ finding: Finding) {
        id = finding.id
        severity = finding.severity
        appleCode = finding.appleCode
        blocksFrom = finding.blocksFrom
    }
}

extension [String?] {
    /// The existing ones, one per line.
    var lines: String { compactMap(\.self).joined(separator: "\n") }
}
