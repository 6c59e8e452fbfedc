import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Releases

struct RunnersShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a runner, its machine, and what it builds.",
        discussion: """
            Example:
              ota runners show mac-1
            """,
    )

    @OptionGroup var named: NamedRunner

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await named.target.open(in: context).perform(ShowRunner(named.name))
        try context.show(RunnerDetails(document: document), json: named.output.json)
    }
}

/// One runner with everything that is known of it.
struct RunnerDetails: CommandResult {
    let document: RunnerDocument

    private var runner: RunnerEntry { document.runner }

    func text(style: Style) -> String {
        let status = runner.statusCell(style)
        var lines = [
            style.strong(runner.name.printable),
            "status   \(status.paint(status.text))\(since)",
            "labels   \(runner.labels.joined(separator: ", "))",
            "mirrors  \(runner.mirrors.joined(separator: ", "))",
            "added    \(Wording.day(runner.added)) by \(runner.addedBy.printable)",
        ]
        if let machine = runner.machine { lines += words(machine, style) }
        for work in runner.building {
            lines.append("builds   \(work.words.printable), since \(Wording.moment(work.since))")
        }
        if let advice { lines += ["", advice] }
        return lines.joined(separator: "\n")
    }

    private var since: String {
        runner.seen.map { ", last heard from on \(Wording.moment($0))" } ?? ""
    }

    private func words(_ machine: RunnerEntry.Machine, _ style: Style) -> [String] {
        let xcodes = machine.xcodes.isEmpty ? "none" : machine.xcodes.joined(separator: ", ")
        var lines = [
            "system   \(machine.system.printable), Python \(machine.python.printable)",
            "Xcode    \(xcodes.printable)",
            "free     \(Wording.size(machine.freeBytes))",
        ]
        if machine.isNewest == false {
            lines.append("agent    \(style.warning("older than the server's"))")
        }
        return lines
    }

    private var advice: String? {
        switch runner.status {
        case .new:
            "No agent has registered yet. Another line to paste: ota runners code \(runner.name)"
        case .paused: "It takes no work: ota runners resume \(runner.name)"
        case .offline: "Is the machine awake, and does the agent run there?"
        case .online: nil
        }
    }
}
