import APIDocuments
import Administration
import ArgumentParser

struct RunnersPause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Pause a runner: it finishes what it builds, and takes nothing more.",
        discussion: """
            Example:
              ota runners pause mac-1
            """,
    )

    @OptionGroup var named: NamedRunner

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await named.target.open(in: context).perform(PauseRunner(named.name))
        try context.show(PausedRunner(document: document), json: named.output.json)
    }
}

struct RunnersResume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Let a paused runner take work again.",
        discussion: """
            Example:
              ota runners resume mac-1
            """,
    )

    @OptionGroup var named: NamedRunner

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await named.target.open(in: context).perform(ResumeRunner(named.name))
        try context.show(PausedRunner(document: document), json: named.output.json)
    }
}

/// Says of a runner what `pause` or `resume` changed.
private struct PausedRunner: CommandResult {
    let document: PausedRunnerDocument

    func text(style: Style) -> String {
        let runner = document.runner
        let name = "runner \(style.strong(runner.name.printable))"
        switch (runner.status == .paused, document.changed) {
        case (true, true):
            let rest = runner.building.isEmpty ? "." : " after what it builds now."
            return "Paused the \(name): it takes nothing more\(rest)\n"
                + "Resume it with: ota runners resume \(runner.name)"
        case (true, false): return "The \(name) is already paused."
        case (false, true): return "Resumed the \(name)."
        case (false, false): return "The \(name) is not paused."
        }
    }
}

struct RunnersRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a runner; its token ends at once.",
        discussion: """
            What it builds is offered to another runner. On its machine, `--uninstall` ends the agent.
            Example:
              ota runners remove mac-1
            """,
    )

    @OptionGroup var named: NamedRunner

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await named.target.open(in: context).perform(RemoveRunner(named.name))
        try context.show(RemovedRunner(document: document), json: named.output.json)
    }
}

private struct RemovedRunner: CommandResult {
    let document: RemovedRunnerDocument

    func text(style: Style) -> String {
        "Removed the runner \(style.strong(document.removed.printable))."
    }
}
