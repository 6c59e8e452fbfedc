import APIDocuments
import Administration
import ArgumentParser
import Bytes
import Foundation
import Releases

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show what needs attention, and the main numbers.",
        discussion: """
            The exit status is 1 if something is urgent, so that scripts can react.
            Example:
              ota status --server https://ota.example.com
            """,
    )

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context).perform(ShowStatus())
        try context.show(
            StatusResult(document: document, date: context.now()),
            json: output.json,
        )
        if document.attention.contains(where: { $0.level == .urgent }) { throw ExitCode(1) }
    }
}

/// The status on one screen.
private struct StatusResult: CommandResult {
    let document: StatusDocument
    let date: Date

    func text(style: Style) -> String {
        let urgent = document.attention.isEmpty ? [style.good("Nothing needs attention.")] : []
        let entries = document.attention.flatMap { entry in
            let title = entry.title.printable
            let painted =
                switch entry.level {
                case .urgent: style.bad("urgent   " + title)
                case .warning: style.warning("warning  " + title)
                case .waiting: "waiting  " + title
                }
            let detail =
                entry.detail.isEmpty ? [] : [style.faint("         " + entry.detail.printable)]
            return [painted] + detail
        }
        let newest = document.newest.map { newest in
            ", the newest \(newest.app) \(newest.release), "
                + Wording.ago(newest.published, at: date)
        }
        let facts = [
            "\(Wording.count(document.apps, "app")), "
                + Wording.count(document.releases, "release") + (newest ?? ""),
            Wording.count(document.devices, "device")
                + ", \(document.pending) waiting for approval",
            "\(Wording.count(document.installed, "install")) in 30 days, "
                + "\(document.notFinished) not finished",
            Wording.count(document.openJobs, "open job"),
        ].map(\.printable)
        let slots = document.slots.filter { $0.used > 0 }.map { $0.text(style: style) }
        return (urgent + entries + [""] + facts + slots).joined(separator: "\n")
    }
}
