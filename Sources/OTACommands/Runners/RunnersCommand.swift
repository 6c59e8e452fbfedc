import APIDocuments
import ArgumentParser
import Releases

struct RunnersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "runners",
        abstract: "Manage the Macs that build for the server.",
        discussion: """
            `add` prints a line to paste on the Mac. Pipeline steps with `runs-on: mac` then run \
            there.
            Example:
              ota runners add mac-mini --mirror browsey
              ota runners list
            """,
        subcommands: [
            RunnersAdd.self, RunnersList.self, RunnersShow.self, RunnersSet.self,
            RunnersCode.self, RunnersPause.self, RunnersResume.self, RunnersRemove.self,
        ],
    )
}

/// The argument and options of every command on one runner.
struct NamedRunner: ParsableArguments {
    @Argument(help: "The runner's name.")
    var name: String

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions
}

struct RunnersPause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Pause a runner: it finishes its build and takes no more.",
        discussion: """
            Example:
              ota runners pause mac-mini
            """,
    )

    @OptionGroup var named: NamedRunner

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await named.target.open(in: context).perform(PauseRunner(named.name))
        let result = ChangedRunner(document: document) { name, isChanged in
            isChanged
                ? "Paused the runner \(name). Resume it with: ota runners resume \(name)"
                : "The runner \(name) is already paused."
        }
        try context.show(result, json: named.output.json)
    }
}

struct RunnersResume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Resume a paused runner.",
        discussion: """
            Example:
              ota runners resume mac-mini
            """,
    )

    @OptionGroup var named: NamedRunner

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await named.target.open(in: context).perform(ResumeRunner(named.name))
        let result = ChangedRunner(document: document) { name, isChanged in
            isChanged ? "Resumed the runner \(name)." : "The runner \(name) is not paused."
        }
        try context.show(result, json: named.output.json)
    }
}

struct RunnersRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a runner; its build is offered to another runner.",
        discussion: """
            The runner's token stops working immediately. On the Mac, undo the agent's `--install` \
            with `--uninstall`.
            Example:
              ota runners remove mac-mini
            """,
    )

    @OptionGroup var named: NamedRunner

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await named.target.open(in: context).perform(RemoveRunner(named.name))
        let result = ChangedRunner(document: document) { name, _ in
            "Removed the runner \(name); its token no longer works."
        }
        try context.show(result, json: named.output.json)
    }
}

/// The result of changing a runner.
struct ChangedRunner: CommandResult {
    let document: RunnerDocument
    /// Returns the sentence for the runner's name and whether anything changed.
    let sentence: @Sendable (_ name: String, _ isChanged: Bool) -> String

    func text(style: Style) -> String {
        sentence(style.strong(document.runner.name), document.changed == true)
    }
}
