package import Foundation

/// The environment of a command: the clock, the variables, the user and the terminal.
///
/// `run()` of a command uses the live one; a test creates its own.
package struct CommandContext: Sendable {
    package let now: @Sendable () -> Date
    package let environment: [String: String]
    /// The actor in the activity log.
    package let actor: String
    package let terminal: Terminal
    /// Whether the command may report what it waits for; with `--json`, standard error contains only JSON.
    package let saysWhatItWaitsFor: Bool

    package init(
        now: @escaping @Sendable () -> Date,
        environment: [String: String],
        actor: String,
        terminal: Terminal,
        saysWhatItWaitsFor: Bool = false,
    ) {
        self.saysWhatItWaitsFor = saysWhatItWaitsFor
        self.now = now
        self.environment = environment
        self.actor = actor
        self.terminal = terminal
    }

    /// The system's clock, the process's environment and streams.
    package static let live: CommandContext = {
        let environment = ProcessInfo.processInfo.environment
        return CommandContext(
            now: { Date() },
            environment: environment,
            actor: environment["OTA_ACTOR"] ?? environment["USER"] ?? environment["LOGNAME"]
                ?? "command line",
            terminal: .live(environment: environment),
            saysWhatItWaitsFor: !CommandLine.arguments.contains("--json"),
        )
    }()

    /// Prints a result as text for people, or as a JSON document for programs.
    func show(_ result: some CommandResult, json: Bool) throws {
        if json {
            try terminal.print(JSONText.encode(result.document))
        } else {
            try terminal.print(result.text(style: terminal.style))
        }
    }
}

/// The result of a command, in both of its forms.
protocol CommandResult {
    associatedtype Document: Encodable

    /// The JSON form; has a top-level `schema`.
    var document: Document { get }

    /// The text for people, without a final newline.
    func text(style: Style) -> String
}
