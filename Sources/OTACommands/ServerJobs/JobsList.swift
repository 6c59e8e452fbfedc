import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Jobs
import Releases

struct JobsList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the jobs, newest first.",
        discussion: """
            Example:
              ota jobs list --open
            """,
    )

    @Flag(help: "Only jobs that have not ended.")
    var open = false

    @Option(help: ArgumentHelp("The most jobs to list, up to 200.", valueName: "number"))
    var limit = 50

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...200).contains(limit) else {
            throw ValidationError("--limit must be from 1 to 200")
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context)
            .perform(ListJobs(onlyOpen: open, limit: limit))
        try context.show(JobTable(document: document), json: output.json)
    }
}

private struct JobTable: CommandResult {
    let document: JobsDocument

    func text(style: Style) -> String {
        guard !document.jobs.isEmpty else { return "No jobs." }
        var table = Table(["IDENTIFIER", "WHAT", "STATE", "BY", "WHY"])
        for job in document.jobs {
            table.add([
                Table.Cell(job.id, paint: style.strong), Table.Cell(job.title),
                job.stateCell(style), Table.Cell(job.by), Table.Cell(job.reason ?? ""),
            ])
        }
        return table.text(style: style)
    }
}

extension JobEntry {
    fileprivate func stateCell(_ style: Style) -> Table.Cell {
        switch state {
        case .done: Table.Cell(stateWords, paint: style.good)
        case .failed: Table.Cell(stateWords, paint: style.bad)
        case .waiting where attempts > 0: Table.Cell(stateWords, paint: style.warning)
        case .waiting, .running, .cancelled: Table.Cell(stateWords)
        }
    }
}
