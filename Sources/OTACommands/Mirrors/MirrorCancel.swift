import ArgumentParser
import GitMirror
import Releases
import Store

struct MirrorCancel: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "End a build that waits or runs.",
        discussion: """
            Example:
              ota mirror cancel browsey 12
            """,
    )

    @Argument(help: "The mirror.")
    var name: String

    @Argument(help: "The number of the build.")
    var build: Int

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        let place = try storeOptions.mirrors(of: store, in: context)
        let mirror = try store.mirror(named: name)
        let run = try RunQueue(of: mirror.name, in: place).cancel(build, by: context.actor)
        try context.show(CancelledRun(run: run), json: output.json)
    }
}

private struct CancelledRun: CommandResult {
    let run: MirrorRun

    var document: RunDocument { RunDocument(run) }

    func text(style: Style) -> String {
        run.state == .cancelled
            ? "Build \(run.number) of \(run.mirror) is cancelled."
            : "Build \(run.number) of \(run.mirror) ends within seconds."
    }
}
