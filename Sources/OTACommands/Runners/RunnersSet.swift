import APIDocuments
import Administration
import ArgumentParser

struct RunnersSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change the labels of a runner, or the mirrors that it builds for.",
        discussion: """
            What is given replaces what was there. A build of a mirror that is left out ends on the \
            runner at once.
            Example:
              ota runners set mac-1 --label mac --label xcode-26
              ota runners set mac-1 --mirror browsey --mirror pare
            """,
    )

    @OptionGroup var named: NamedRunner

    @Option(help: "All mirrors that it builds for. May be repeated.")
    var mirror: [String] = []

    @Option(help: "All of its labels. May be repeated.")
    var label: [String] = []

    func validate() throws {
        guard !mirror.isEmpty || !label.isEmpty else {
            throw ValidationError("Give something to change, such as --label xcode-26.")
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let change = RunnerChange(
            labels: label.isEmpty ? nil : label,
            mirrors: mirror.isEmpty ? nil : mirror,
        )
        let document = try await named.target.open(in: context)
            .perform(ChangeRunner(named.name, change))
        try context.show(RunnerDetails(document: document), json: named.output.json)
    }
}
