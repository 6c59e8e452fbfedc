import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Releases

struct RunnersList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the runners, whether they are online, and what they build.",
        discussion: """
            Example:
              ota runners list --json
            """,
    )

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let runners = try await target.open(in: context).perform(ListRunners())
        try context.show(RunnerTable(document: runners), json: output.json)
    }
}

private struct RunnerTable: CommandResult {
    let document: RunnersDocument

    func text(style: Style) -> String {
        var table = Table(["NAME", "STATUS", "SEEN", "LABELS", "MIRRORS", "BUILDS"])
        for runner in document.runners {
            table.add([
                Table.Cell(runner.name, paint: style.strong), runner.statusCell(style),
                Table.Cell(runner.seen.map { Wording.moment($0) } ?? "never"),
                Table.Cell(runner.labels.joined(separator: " ")),
                Table.Cell(runner.mirrors.joined(separator: " ")),
                Table.Cell(runner.building.map(\.words).joined(separator: ", ")),
            ])
        }
        return table.isEmpty
            ? "No runners: ota runners add mac-1 --mirror MIRROR" : table.text(style: style)
    }
}

extension RunnerEntry {
    func statusCell(_ style: Style) -> Table.Cell {
        switch status {
        case .online: Table.Cell(status.rawValue, paint: style.good)
        case .offline: Table.Cell(status.rawValue, paint: style.bad)
        case .new, .paused: Table.Cell(status.rawValue, paint: style.warning)
        }
    }
}

extension RunnerEntry.Work {
    /// `build 12 of browsey (v2.4.0)`.
    var words: String { "build \(build) of \(mirror) (\(subject))" }
}
