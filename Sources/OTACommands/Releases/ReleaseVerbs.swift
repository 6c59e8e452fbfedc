import ArgumentParser
import Foundation
import Publishing
import Releases
import Store

struct ReleasesWithdraw: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Take a release back: nobody installs it any more.",
        discussion: """
            Example:
              ota releases withdraw browsey 1.2.0 --reason "loses bookmarks; wait for 1.2.1"
            """,
    )

    @Argument(help: "The app.")
    var app: String

    @Argument(help: "The release.")
    var release: String

    @Option(help: "What testers are told.")
    var reason = "The team has taken this version back."

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        let app = try store.app(named: app)
        let withdrawn = try store.withdraw(
            try store.release(named: release, of: app).identifier,
            of: app.bundleIdentifier,
            as: Release.Withdrawal(date: context.now(), actor: context.actor, reason: reason),
        )
        let sentence = "Withdrew \(app.title) \(withdrawn.identifier); its page says why."
        let result = ReleaseResult(release: withdrawn, app: app, sentence: sentence)
        try context.show(result, json: output.json)
    }
}

struct ReleasesRestore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Offer a withdrawn release again.",
        discussion: """
            Example:
              ota releases restore browsey 1.2.0
            """,
    )

    @Argument(help: "The app.")
    var app: String

    @Argument(help: "The release.")
    var release: String

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        let app = try store.app(named: app)
        let restored = try store.restoreRelease(
            try store.release(named: release, of: app).identifier,
            of: app.bundleIdentifier,
            by: context.actor,
            at: context.now(),
        )
        let sentence = "\(app.title) \(restored.identifier) can be installed again."
        let result = ReleaseResult(release: restored, app: app, sentence: sentence)
        try context.show(result, json: output.json)
    }
}

struct ReleasesPromote: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promote",
        abstract: "Let a channel offer a release that is there already.",
        discussion: """
            Example:
              ota releases promote browsey 1.2.0-34 --channel stable
            """,
    )

    @Argument(help: "The app.")
    var app: String

    @Argument(help: "The release.")
    var release: String

    @Option(help: "The channel.")
    var channel: ChannelName = .stable

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        let named = try store.app(named: app)
        let release = try store.release(named: release, of: named)
        let app = try store.promote(
            release.identifier,
            of: named.bundleIdentifier,
            to: channel,
            by: context.actor,
            at: context.now(),
        )
        let sentence = "\(channel) of \(app.title) offers \(release.identifier) now."
        let result = ReleaseResult(release: release, app: app, sentence: sentence)
        try context.show(result, json: output.json)
    }
}
