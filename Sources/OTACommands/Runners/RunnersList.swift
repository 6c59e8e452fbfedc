import APIDocuments
import ArgumentParser
import Foundation
import Identifiers
import Releases

struct RunnersList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the runners and their builds.",
        discussion: """
            Example:
              ota runners list --json
            """,
    )

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context).perform(ListRunners())
        try context.show(RunnerTable(document: document, now: context.now()), json: output.json)
    }
}

private struct RunnerTable: CommandResult {
    let document: RunnersDocument
    let now: Date

    func text(style: Style) -> String {
        guard !document.runners.isEmpty else {
            return "No runners. Add one with: ota runners add mac-mini --mirror MIRROR"
        }
        var table = Table(["NAME", "STATE", "LABELS", "MIRRORS", "LAST SEEN", "BUILDS"])
        for runner in document.runners {
            table.add([
                Table.Cell(runner.name, paint: style.strong),
                runner.stateCell(style),
                Table.Cell(runner.labels.joined(separator: " ")),
                Table.Cell(runner.mirrors.joined(separator: " ")),
                Table.Cell(runner.seen.map { Wording.ago($0, at: now) } ?? "never"),
                Table.Cell(runner.building?.words ?? "–"),
            ])
        }
        return table.text(style: style)
    }
}

struct RunnersShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a runner, its machine and its build.",
        discussion: """
            Example:
              ota runners show mac-mini
            """,
    )

    @OptionGroup var named: NamedRunner

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await named.target.open(in: context).perform(ShowRunner(named.name))
        let result = ShownRunner(document: document, now: context.now())
        try context.show(result, json: named.output.json)
    }
}

private struct ShownRunner: CommandResult {
    let document: RunnerDocument
    let now: Date

    func text(style: Style) -> String {
        let runner = document.runner
        let state = runner.stateCell(style)
        var lines = [
            "\(style.strong(runner.name)) \(state.paint(state.text))",
            "labels   \(runner.labels.joined(separator: ", "))",
            "mirrors  \(runner.mirrors.joined(separator: ", "))",
            "builds   \(runner.references.words)",
            "added    \(Wording.day(runner.added)) by \(runner.addedBy.printable)",
        ]
        lines.append("seen     \(runner.seen.map { Wording.ago($0, at: now) } ?? "never")")
        if let machine = runner.machine {
            lines += [
                "system   \(machine.system.printable)",
                "Xcode    "
                    + (machine.xcodes.isEmpty
                        ? "none" : machine.xcodes.joined(separator: ", ").printable),
                "disk     \(Wording.size(machine.freeBytes)) free",
                "agent    "
                    + (machine.agentIsCurrent
                        ? "current"
                        : style.warning(
                            "differs from the server's; it updates itself unless started with --no-update"
                        )),
            ]
        }
        if let work = runner.building {
            lines.append("now      \(work.words), begun \(Wording.ago(work.since, at: now))")
        }
        if runner.state == .unregistered {
            lines.append("Print a new line to paste with: ota runners code \(runner.name)")
        }
        return lines.joined(separator: "\n")
    }
}

extension RunnerEntry {
    /// `online`, or `building, paused`, in the colour of the state.
    fileprivate func stateCell(_ style: Style) -> Table.Cell {
        let paint =
            switch state {
            case _ where paused: style.warning
            case .unregistered, .paused: style.warning
            case .online, .building: style.good
            case .offline: style.bad
            }
        return Table.Cell(stateWords, paint: paint)
    }
}

extension RunnerEntry.Work {
    /// `browsey v1.3.0, build 12`.
    var words: String { "\(mirror) \(subject.printable), build \(build)" }
}
