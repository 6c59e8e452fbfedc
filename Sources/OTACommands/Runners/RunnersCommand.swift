import ArgumentParser

struct RunnersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "runners",
        abstract: "Let Macs and other machines build for mirrors.",
        discussion: """
            A runner takes the steps of pipelines that say `runs-on: mac`, or another of its labels.
            Example:
              ota runners add mac-1 --mirror browsey
              ota runners list
            """,
        subcommands: [
            RunnersAdd.self, RunnersList.self, RunnersShow.self, RunnersSet.self,
            RunnersCode.self, RunnersPause.self, RunnersResume.self, RunnersRemove.self,
        ],
    )
}

/// What every command on one runner is given.
struct NamedRunner: ParsableArguments {
    @Argument(help: "The runner's name.")
    var name: String

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions
}
