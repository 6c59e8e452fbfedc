package import Foundation

/// What a command takes from the world: the clock, the environment, who runs it, where it prints.
///
/// `run()` of a command makes the live one; a test makes its own.
package struct CommandContext: Sendable {
    package let now: @Sendable () -> Date
    package let environment: [String: String]
    /// Who is written into the activity log.
    package let actor: String
    package let terminal: Terminal
    /// Whether it may say what it waits for; standard error has nothing but JSON where that was asked for.
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

    /// Prints a result: a sentence or a table for people, or the JSON contract for machines.
    func show(_ result: some CommandResult, json: Bool) throws {
        if json {
            try terminal.print(JSONText.encode(result.document))
        } else {
            try terminal.print(result.text(style: terminal.style))
        }
    }
}

/// What a command says when it is done, in both of its forms.
protocol CommandResult {
    associatedtype Document: Encodable

    /// The JSON form; carries `schema` at its top.
    var document: Document { get }

    /// The form for people, without a final newline.
    func text(style: Style) -> String
}
