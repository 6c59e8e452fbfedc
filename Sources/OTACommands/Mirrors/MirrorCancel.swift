import APIDocuments
import Administration
import ArgumentParser
import MirrorBuilds
import Mirrors

struct MirrorCancel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancel a queued or running build.",
        discussion: """
            Example:
              ota mirror cancel browsey 12
            """,
    )

    @Argument(help: "The mirror.")
    var name: String

    @Argument(help: "The number of the build.")
    var build: Int

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let run = try await target.open(in: context).perform(CancelBuild(build, of: name))
        try context.show(CancelledRun(document: run), json: output.json)
    }
}

private struct CancelledRun: CommandResult {
    let document: RunDocument

    func text(style: Style) -> String {
        let name = "Build \(document.number) of \(document.mirror.printable)"
        return document.state == .cancelled
            ? "\(name) is cancelled." : "\(name) will stop within seconds."
    }
}
