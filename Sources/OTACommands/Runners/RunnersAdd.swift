import APIDocuments
import ArgumentParser
import Foundation
import Identifiers
import Releases

struct RunnersAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a runner, and print the line that starts its agent.",
        discussion: """
            Paste the line on the Mac within an hour; its code works once. The agent needs only \
            Xcode's command line tools.
            Example:
              ota runners add mac-mini --mirror browsey --label mac --label xcode-26
            """,
    )

    @Argument(help: "The runner's name: lower-case letters, digits and hyphens.")
    var name: String

    @Option(help: "A mirror that the runner builds for. May be repeated.")
    var mirror: [String]

    @Option(
        help: """
            A label that pipelines ask for with runs-on, such as mac or xcode-26. May be repeated; \
            default: mac.
            """
    )
    var label: [String] = []

    @Option(
        help: """
            The references whose builds the runner takes: those that the mirror trusts (default), only \
            others, or any. Builds on one runner can read one another's files.
            """
    )
    var references: RunnerReferences?

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let new = NewRunner(
            name: name,
            labels: label.isEmpty ? nil : label,
            mirrors: mirror,
            references: references,
        )
        let document = try await target.open(in: context).perform(AddRunner(new))
        try context.show(RunnerLine(document: document, verb: "Added"), json: output.json)
    }
}

struct RunnersCode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "code",
        abstract: "Print a new line that starts a runner's agent.",
        discussion: """
            For a Mac that never registered, or that replaces another Mac. The earlier agent's \
            token works until the new code is used.
            Example:
              ota runners code mac-mini
            """,
    )

    @OptionGroup var named: NamedRunner

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await named.target.open(in: context).perform(RenewRunnerCode(named.name))
        try context.show(
            RunnerLine(document: document, verb: "Created a new code for"),
            json: named.output.json,
        )
    }
}

private struct RunnerLine: CommandResult {
    let document: RunnerCodeDocument
    let verb: String

    func text(style: Style) -> String {
        let runner = document.runner
        let labels = runner.labels.joined(separator: ", ")
        let made =
            "\(verb) the runner \(style.strong(runner.name)) (\(labels)) for "
            + "\(runner.mirrors.joined(separator: ", "))."
        guard let command = document.command else {
            return made + """

                Its code, which is shown only once and expires \(Wording.moment(document.expires)):

                  \(document.code)

                There is no line to paste yet, because the server does not know the address at \
                which the Mac reaches it. Restart the server with `ota serve --base-url https://HOST`, then \
                print the line with: ota runners code \(runner.name)
                """
        }
        return made + """

            Paste this line on the Mac; it is shown only once and expires \
            \(Wording.moment(document.expires)):

              \(command)
            """ + (isLocal(command) ? "\n\n" + style.warning("note:") + Self.localNote : "")
    }

    private static let localNote =
        " the server's address is a loopback address, so only this machine can use the line. For "
        + "another machine, restart the server with `ota serve --base-url https://HOST` first."

    /// Whether the line contains a loopback address of the server, which only works on this machine.
    private func isLocal(_ command: String) -> Bool {
        command.contains(#/https://(localhost|127\.[0-9.]+|\[::1\])[:/]/#)
    }
}
