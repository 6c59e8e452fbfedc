import APIDocuments
import ArgumentParser
import Identifiers
import Releases

struct RunnersSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change a runner's labels, mirrors or references.",
        discussion: """
            The labels or mirrors that you give replace the earlier ones. If the runner is \
            building what it may no longer build, that build is offered to another runner.
            Example:
              ota runners set mac-mini --label mac --label xcode-27
            """,
    )

    @Option(help: "A label. May be repeated; replaces the earlier labels.")
    var label: [String] = []

    @Option(help: "A mirror. May be repeated; replaces the earlier mirrors.")
    var mirror: [String] = []

    @Option(help: "The references whose builds the runner takes: trusted, untrusted or any.")
    var references: RunnerReferences?

    @OptionGroup var named: NamedRunner

    func validate() throws {
        guard !label.isEmpty || !mirror.isEmpty || references != nil else {
            throw ValidationError("give --label, --mirror or --references")
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let change = RunnerChange(
            labels: label.isEmpty ? nil : label,
            mirrors: mirror.isEmpty ? nil : mirror,
            references: references,
        )
        let document = try await named.target.open(in: context).perform(
            ChangeRunner(named.name, change)
        )
        let runner = document.runner
        let result = ChangedRunner(document: document) { name, isChanged in
            isChanged
                ? "Changed the runner \(name): it builds \(runner.references.words) of "
                    + "\(runner.mirrors.joined(separator: ", ")) and has the labels "
                    + "\(runner.labels.joined(separator: ", "))."
                : "The runner \(name) already has these settings."
        }
        try context.show(result, json: named.output.json)
    }
}

extension RunnerReferences: ExpressibleByArgument {}
