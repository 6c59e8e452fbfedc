import ArgumentParser
import Foundation
import Publishing
import Releases
import Store

struct ReleasesWithdraw: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Take a release back: nobody installs it any more.",
        discussion: """
            Example:
              ota releases withdraw browsey 1.2.0 --reason "loses bookmarks; wait for 1.2.1"
            """,
    )

    @OptionGroup var named: ReleaseArguments

    @Option(help: "What testers are told.")
    var reason = "The team has taken this version back."

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        let (app, release) = try named.find(in: store)
        let withdrawn = try store.withdraw(
            release.identifier,
            of: app.bundleIdentifier,
            as: Release.Withdrawal(
                date: context.now(),
                actor: context.actor,
                reason: reason.printable,
            ),
        )
        let sentence = "Withdrew \(app.title) \(withdrawn.identifier); its page says why."
        let result = ReleaseResult(release: withdrawn, app: app, sentence: sentence)
        try context.show(result, json: output.json)
    }
}

struct ReleasesRestore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Offer a withdrawn release again.",
        discussion: """
            Example:
              ota releases restore browsey 1.2.0
            """,
    )

    @OptionGroup var named: ReleaseArguments

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        let (app, release) = try named.find(in: store)
        let restored = try store.restoreRelease(
            release.identifier,
            of: app.bundleIdentifier,
            by: context.actor,
            at: context.now(),
        )
        let sentence =
            release.withdrawal == nil
            ? "\(app.title) \(restored.identifier) was not withdrawn; nothing changed."
            : "\(app.title) \(restored.identifier) can be installed again."
        let result = ReleaseResult(release: restored, app: app, sentence: sentence)
        try context.show(result, json: output.json)
    }
}

struct ReleasesPromote: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promote",
        abstract: "Let a channel offer a release that is there already.",
        discussion: """
            Example:
              ota releases promote browsey 1.2.0-34 --channel stable
            """,
    )

    @OptionGroup var named: ReleaseArguments

    @Option(help: "The channel: a-z, 0-9 and hyphens.")
    var channel: ChannelName = .stable

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        let (before, release) = try named.find(in: store)
        let app = try store.promote(
            release.identifier,
            of: before.bundleIdentifier,
            to: channel,
            by: context.actor,
            at: context.now(),
        )
        let sentence = "\(channel) of \(app.title) offers \(release.identifier) now."
        let result = ReleaseResult(release: release, app: app, sentence: sentence)
        try context.show(result, json: output.json)
    }
}
