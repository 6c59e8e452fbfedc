import APIDocuments
import Inspection
import Administration
import ArgumentParser
import Foundation
import Releases

struct ReleasesShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one release and its current findings.",
        discussion: """
            Example:
              ota releases show browsey 1.2.0
            """,
    )

    @OptionGroup var named: ReleaseArguments

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context)
            .perform(ShowRelease(named.release, of: named.app))
        try context.show(ReleaseCard(document: document, now: context.now()), json: output.json)
    }
}

private struct ReleaseCard: CommandResult {
    let document: ReleaseCardDocument
    let now: Date

    func text(style: Style) -> String {
        let text = FindingsText(style: style)
        let release = document.release
        var parts = [
            text.heading(document),
            "Published \(Wording.day(release.published)) by \(release.publisher) on "
                .printable + "\(release.channel); ".printable
                + (release.offeredOn.isEmpty
                    ? "not on a channel."
                    : "now on \(release.offeredOn.joined(separator: ", ")).".printable),
        ]
        if let pin = release.pin {
            let reason = pin.reason.map { ": \($0)" } ?? "."
            parts.append(
                "Pinned on \(Wording.day(pin.date)) by \(pin.actor)\(reason)".printable
            )
        }
        if let withdrawal = document.withdrawal {
            parts.append(
                style.bad("Withdrawn")
                    + " on \(Wording.day(withdrawal.date)) by \(withdrawal.by): "
                    + "\(withdrawal.reason)"
                    .printable
            )
        }
        if !release.notes.isEmpty {
            parts.append(
                release.notes.split(separator: "\n").map { String($0).printable }.joined(
                    separator: "\n"
                )
            )
        }
        let findings = document.findings.map(\.finding)
        if !findings.isEmpty { parts.append(text.list(findings)) }
        guard document.withdrawal == nil else {
            let command = "`ota releases restore \(release.app) \(release.release)`".printable
            parts.append("It cannot be installed until it is restored: \(command)")
            return parts.joined(separator: "\n\n")
        }
        parts.append(text.verdict(document.verdict, expiry: document.expiry, at: now))
        if document.devices.registered > 0 {
            let command = "`ota devices check \(release.app) \(release.release)`".printable
            parts.append(document.devices.sentence(explainedBy: command))
        }
        return parts.joined(separator: "\n\n")
    }
}
