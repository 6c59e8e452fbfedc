import APIDocuments
import ArgumentParser
import Releases

struct RunnersSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change a runner's labels or mirrors.",
        discussion: """
            The labels or mirrors that you give replace the earlier ones. If the runner is \
            building for a mirror that you take away, that build is offered to another runner.
            Example:
              ota runners set mac-mini --label mac --label xcode-27
            """,
    )

    @Option(help: "A label. May be repeated; replaces the earlier labels.")
    var label: [String] = []

    @Option(help: "A mirror. May be repeated; replaces the earlier mirrors.")
    var mirror: [String] = []

    @OptionGroup var named: NamedRunner

    func validate() throws {
        guard !label.isEmpty || !mirror.isEmpty else {
            throw ValidationError("give --label or --mirror")
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let change = RunnerChange(
            labels: label.isEmpty ? nil : label,
            mirrors: mirror.isEmpty ? nil : mirror,
        )
        let document = try await named.target.open(in: context).perform(
            ChangeRunner(named.name, change)
        )
        let runner = document.runner
        let result = ChangedRunner(document: document) { name, isChanged in
            isChanged
                ? "Changed the runner \(name): it builds for "
                    + "\(runner.mirrors.joined(separator: ", ")) and has the labels "
                    + "\(runner.labels.joined(separator: ", "))."
                : "The runner \(name) already has these settings."
        }
        try context.show(result, json: named.output.json)
    }
}
