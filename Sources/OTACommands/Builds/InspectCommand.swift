import ArgumentParser
import Bundles
import Cryptography
import Foundation
import Inspection
import Publishing
import Releases

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show what is inside a build: identity, nested bundles, profiles.",
        discussion: """
            Example:
              ota inspect build.ipa --json
            """,
    )

    @Argument(help: "The build.")
    var build: BuildFile

    @Flag(help: "Name the devices that the profiles list, not only how many.")
    var udids = false

    @OptionGroup var anchorOptions: AnchorOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let bar = ProgressBar(on: context.terminal, isQuiet: output.json)
        defer { bar.finish() }
        let examined = try Examination(anchors: anchorOptions.anchors(), date: context.now())
            .inspect(build.source()) { bar.update($0.title, fraction: $0.fraction) }
        bar.finish()
        try context.show(
            InspectResult(report: examined.report, udids: udids, date: context.now()),
            json: output.json,
        )
    }
}

/// What is inside, as a tree.
private struct InspectResult: CommandResult {
    let report: InspectionReport
    let udids: Bool
    let date: Date

    var document: InspectionDocument { InspectionDocument(report, udids: udids) }

    func text(style: Style) -> String {
        let identity = report.identity
        var lines = [
            FindingsText(style: style).heading(report),
            "",
            field("families", identity.families.joined(separator: ", "), style),
            field("sha256", identity.sha256.description, style),
            "",
            style.strong(identity.path.printable),
        ]
        lines += report.profile.map { profileLines($0, style) } ?? ["  no profile"]
        for bundle in report.nested {
            lines.append("")
            lines.append(
                style.strong(bundle.path.printable) + style.faint("  " + bundle.kind.rawValue)
            )
            let version = "\(bundle.version ?? "–") (\(bundle.build ?? "–"))"
            lines.append(field("identifier", bundle.bundleIdentifier ?? "–", style))
            lines.append(field("version", version, style))
            if let profile = bundle.profile { lines += profileLines(profile, style) }
        }
        return lines.joined(separator: "\n")
    }

    private func profileLines(_ profile: ProfileSummary, _ style: Style) -> [String] {
        let trust =
            switch profile.trust {
            case .apple: style.good("verified, signed by Apple")
            case .privateAuthority(let name): style.warning("signed by \(name.printable)")
            case .unverified(let reason): style.bad("not verified: \(reason.printable)")
            }
        var lines = [
            field("profile", "\(profile.name) (\(profile.uuid))", style),
            "  " + style.faint("signature   ") + trust,
            field("type", profile.type.title, style),
            field("team", "\(profile.teamName) (\(profile.team))", style),
            field("grants", profile.applicationIdentifier ?? "–", style),
            field(
                "expires",
                "\(Wording.day(profile.expires)), "
                    + Wording.distance(to: profile.expires, from: date),
                style,
            ),
        ]
        if let devices = profile.devices {
            lines.append(field("devices", "\(devices.count)", style))
            if udids { lines += devices.map { "    \($0)" } }
        }
        return lines
    }

    private func field(_ name: String, _ value: String, _ style: Style) -> String {
        let label = name + String(repeating: " ", count: max(0, 12 - name.count))
        return "  " + style.faint(label) + value.printable
    }
}
