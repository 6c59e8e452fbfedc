import APIDocuments
import Administration
import ArgumentParser
import Releases

struct RunnersAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a runner, and print the line to paste on its machine.",
        discussion: """
            The line fetches a small agent and registers it. Its code is good for one hour, once.
            Example:
              ota runners add mac-1 --mirror browsey
              ota runners add mac-2 --mirror browsey --mirror pare --label mac --label xcode-26
            """,
    )

    @Argument(help: "Its name: lower-case letters, digits and hyphens.")
    var name: String

    @Option(help: "A mirror that it builds for. May be repeated.")
    var mirror: [String]

    @Option(
        help: """
            What it can build, which pipelines ask for with `runs-on`; default: mac. May be repeated.
            """
    )
    var label: [String] = []

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let new = NewRunner(name: name, mirrors: mirror, labels: label.isEmpty ? nil : label)
        let document = try await target.open(in: context).perform(AddRunner(new))
        try context.show(NewRunnerCode(document: document, isNew: true), json: output.json)
    }
}

struct RunnersCode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "code",
        abstract: "Print another line to paste, for a new Mac or a code that has expired.",
        discussion: """
            The agent that is registered goes on until the new code is used.
            Example:
              ota runners code mac-1
            """,
    )

    @OptionGroup var named: NamedRunner

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await named.target.open(in: context)
            .perform(RenewRunnerCode(named.name))
        let result = NewRunnerCode(document: document, isNew: false)
        try context.show(result, json: named.output.json)
    }
}

private struct NewRunnerCode: CommandResult {
    let document: RunnerCodeDocument
    let isNew: Bool

    func text(style: Style) -> String {
        let runner = document.runner
        let mirrors = runner.mirrors.joined(separator: ", ")
        let name = style.strong(runner.name.printable)
        let labels = runner.labels.joined(separator: ", ")
        let end = runner.codeExpires.map { ", until \(Wording.moment($0))" } ?? ""
        let deed =
            isNew
            ? "Added the runner \(name) for \(mirrors.printable) with the labels \(labels)."
            : "Made a new code for the runner \(name)."
        return """
            \(deed)
            Paste this line into a terminal on its machine; its code is good once\(end):

              \(document.line.printable)

            Add --install to it to keep the agent running after the terminal is closed.
            """
    }
}
