import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Releases

struct AppsRules: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Show or set which releases of an app are kept.",
        discussion: """
            The server applies the rules of all apps once a day, from 03:00 UTC, and then deletes the \
            files that nothing uses any more. It always keeps releases that a channel offers, pinned \
            ones, and those published within the last day. It keeps builds of a channel that has \
            ended only while they are recent, pinned or installed.
            Without an app, the rules are for all apps that have none of their own.
            Example:
              ota apps rules browsey
              ota apps rules browsey --newest 10 --days 30 --dry-run
              ota apps rules browsey --newest 10 --days 30
              ota apps rules --days 90
              ota apps rules browsey --now
            """,
    )

    @Argument(
        help: "The app, by bundle identifier or slug; default: all without rules of their own."
    )
    var app: String?

    @Option(
        help: ArgumentHelp(
            "Keep this many of the newest releases of each channel, from 0 to 1000.",
            valueName: "number",
        )
    )
    var newest: Int?

    @Option(help: "Keep releases published within this many days, from 1 to 3650.")
    var days: Int?

    @Flag(help: "Do not keep releases just because they are installed on a device.")
    var notInstalled = false

    @Flag(help: "Keep everything.")
    var everything = false

    @Flag(name: .customLong("default"), help: "Use the rules for all apps.")
    var usesDefault = false

    @Flag(
        help:
            "Show what these rules, or the current ones, would remove, and why others are kept."
    )
    var dryRun = false

    @Flag(help: "Apply the current rules now.")
    var now = false

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    private var hasRules: Bool { newest != nil || days != nil }

    func validate() throws {
        guard newest.map(RetentionRules.newestRange.contains) ?? true else {
            throw ValidationError("--newest must be from 0 to 1000")
        }
        guard days.map(RetentionRules.daysRange.contains) ?? true else {
            throw ValidationError("--days must be from 1 to 3650")
        }
        guard [hasRules, everything, usesDefault].count(where: { $0 }) < 2 else {
            throw ValidationError("give only one of: --newest and --days, --everything, --default")
        }
        guard !notInstalled || hasRules else {
            throw ValidationError("--not-installed needs --newest or --days")
        }
        guard app != nil || !(usesDefault || dryRun || now) else {
            throw ValidationError("--default, --dry-run and --now need an app")
        }
        guard !now || !(hasRules || everything || usesDefault || dryRun) else {
            throw ValidationError("--now applies the current rules: give it alone")
        }
        guard !dryRun || !(everything || usesDefault) else {
            throw ValidationError(
                "give --dry-run with --newest and --days, or alone for the current rules"
            )
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let administration = try target.open(in: context)
        let rules =
            hasRules
            ? RetentionRules(newest: newest, days: days, keepsInstalled: !notInstalled) : nil
        if let app, dryRun || now {
            let request = ApplyRulesRequest(isDryRun: dryRun, under: rules)
            let document = try await administration.perform(ApplyRules(of: app, request))
            return try context.show(AppliedRules(document: document), json: output.json)
        }
        let wanted = rules ?? (everything ? .everything : nil)
        let isChange = wanted != nil || usesDefault
        let document: RulesDocument
        switch (app, isChange) {
        case (let app?, true):
            document = try await administration.perform(
                ChangeRules(of: app, to: RulesRequest(wanted))
            )
        case (let app?, false):
            document = try await administration.perform(ShowRules(of: app))
        case (nil, true):
            document = try await administration.perform(
                ChangeDefaultRules(to: wanted ?? .everything)
            )
        case (nil, false):
            document = try await administration.perform(ShowDefaultRules())
        }
        try context.show(ShownRules(document: document), json: output.json)
    }
}

private struct ShownRules: CommandResult {
    let document: RulesDocument

    func text(style: Style) -> String {
        let whose =
            document.app.map { app in
                app.printable
                    + (document.isDefault ? ", like all apps without rules of their own," : "")
            } ?? "An app without rules of its own"
        let next =
            document.rules.keepsEverything
            ? nil
            : document.next.map { "The server applies the rules again on \(Wording.moment($0))." }
                ?? "The server applies the rules every day from 03:00 UTC."
        return ["\(whose) keeps \(document.rules.words).", next].compactMap(\.self)
            .joined(separator: "\n")
    }
}

private struct AppliedRules: CommandResult {
    let document: RetentionDocument

    func text(style: Style) -> String {
        let count = Wording.count(document.removed.count, "release")
        let size = Wording.size(document.freed)
        let sentence =
            document.removed.isEmpty
            ? "There is nothing to remove."
            : document.dryRun
                ? "Would remove \(count) and free \(size)."
                : "Removed \(count), which frees \(size)."
        let removed = Set(document.removed)
        let gone = document.dryRun ? "would be removed" : "removed"
        var table = Table(["RELEASE", "PUBLISHED", "RESULT", "WHY"])
        for line in document.releases {
            let isGone = removed.contains(line.release)
            table.add([
                line.release, Wording.day(line.published), isGone ? gone : "kept",
                line.reasons.map(\.message).joined(separator: "; "),
            ])
        }
        return sentence + (table.isEmpty ? "" : "\n\n" + table.text(style: style))
    }
}
