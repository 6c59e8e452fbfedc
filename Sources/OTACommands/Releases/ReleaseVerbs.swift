import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Identifiers
import Releases

struct ReleasesWithdraw: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Withdraw a release so that it can no longer be installed.",
        discussion: """
            Example:
              ota releases withdraw browsey 1.2.0 --reason "loses bookmarks; wait for 1.2.1"
            """,
    )

    @OptionGroup var named: ReleaseArguments

    @Option(help: "The reason, shown to testers.")
    var reason = "The team has withdrawn this version."

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context)
            .perform(WithdrawRelease(named.release, of: named.app, reason: reason))
        let sentence = "Withdrew \(document.release.title); its page shows the reason."
        try context.show(
            ReleaseResult(document: document, sentence: sentence),
            json: output.json,
        )
    }
}

struct ReleasesRestore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a withdrawn release.",
        discussion: """
            Example:
              ota releases restore browsey 1.2.0
            """,
    )

    @OptionGroup var named: ReleaseArguments

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let administration = try target.open(in: context)
        let before = try await administration.perform(
            ShowRelease(named.release, of: named.app)
        ).release
        let document = try await administration.perform(
            RestoreRelease(before.release, of: before.app)
        )
        let sentence =
            before.isWithdrawn
            ? "\(before.title) can be installed again."
            : "\(before.title) was not withdrawn; nothing changed."
        try context.show(
            ReleaseResult(document: document, sentence: sentence),
            json: output.json,
        )
    }
}

struct ReleasesPromote: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promote",
        abstract: "Promote an existing release to a channel.",
        discussion: """
            Warns if the version is not above the channel's previous one, or if devices that could \
            install that one cannot install this one, and says how to undo it. It never prompts, \
            so it can run in CI.
            Example:
              ota releases promote browsey 1.2.0-34 --channel stable
              ota releases promote browsey 1.2.0-34 --channel demo --expires 14d
            """,
    )

    @OptionGroup var named: ReleaseArguments

    @Option(help: "The channel: a-z, 0-9 and . _ -; default: stable.")
    var channel: ChannelName = .stable

    @Option(
        help: """
            End the channel after this time, such as 14d (1h to 365d). Default: its end stays as \
            it is, and a new channel has none.
            """
    )
    var expires: ChannelLife?

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard expires == nil || channel != .stable else {
            throw ValidationError(
                "--expires needs --channel with a channel that may end, such as demo"
            )
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context)
            .perform(PromoteRelease(named.release, of: named.app, to: channel, lasting: expires))
        let release = document.release
        var sentence = "\(release.name) \(release.release) is now on \(channel)."
        if let end = document.channelEnds {
            sentence += " " + Wording.end(of: channel.rawValue, on: end)
        }
        if let previous = document.previous, document.findings?.isEmpty == false {
            sentence +=
                " To undo it: ota releases promote \(named.app) \(previous) --channel \(channel)"
        }
        try context.show(
            ReleaseResult(document: document, sentence: sentence),
            json: output.json,
        )
    }
}

struct ReleasesNotes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notes",
        abstract: "Replace the notes of a release.",
        discussion: """
            Example:
              ota releases notes browsey 1.2.0 notes.md
              git log --format='- %s' v1.1.0..v1.2.0 | ota releases notes browsey 1.2.0 -
            """,
    )

    @OptionGroup var named: ReleaseArguments

    @Argument(help: "A file with Markdown, or - for standard input.")
    var file: String

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let notes = try TextInput.read(file, limit: 1 << 20)
        let document = try await target.open(in: context)
            .perform(ChangeNotes(of: named.release, of: named.app, to: notes))
        let sentence = "Replaced the notes of \(document.release.title)."
        try context.show(
            ReleaseResult(document: document, sentence: sentence),
            json: output.json,
        )
    }
}
