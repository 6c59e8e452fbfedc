import APIDocuments
import Administration
import ArgumentParser
import MirrorBuilds

struct MirrorRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a mirror; its releases stay.",
        discussion: """
            Removes the copy of the repository, the build records and the secrets.
            Example:
              ota mirror remove browsey
            """,
    )

    @Argument(help: "The mirror.")
    var name: String

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let removed = try await target.open(in: context).perform(RemoveMirror(name))
        try context.show(RemovedMirror(document: removed), json: output.json)
    }
}

private struct RemovedMirror: CommandResult {
    let document: RemovedMirrorDocument

    func text(style: Style) -> String {
        "Removed the mirror \(style.strong(document.removed.printable))."
    }
}
