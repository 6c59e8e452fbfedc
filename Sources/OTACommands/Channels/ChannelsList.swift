import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Releases

struct ChannelsList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the channels of an app, what they offer and when they end.",
        discussion: """
            Example:
              ota channels list browsey
            """,
    )

    @Argument(help: "The app, by bundle identifier or slug.")
    var app: String

    @Flag(help: "Include channels that have ended.")
    var all = false

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let found = try await target.open(in: context).perform(ListChannels(of: app))
        let document = ChannelsDocument(
            app: found.app,
            channels: found.channels,
            ended: all ? found.ended : [],
        )
        let table = ChannelTable(
            document: document,
            hidden: all ? 0 : found.ended.count,
            now: context.now(),
        )
        try context.show(table, json: output.json)
    }
}

private struct ChannelTable: CommandResult {
    let document: ChannelsDocument
    /// The number of ended channels that are not listed.
    let hidden: Int
    let now: Date

    func text(style: Style) -> String {
        var table = Table(["CHANNEL", "OFFERS", "ENDS", "PAGE"])
        for channel in document.channels {
            let end = channel.ends.map { "\(Wording.soon($0, at: now)), \(Wording.moment($0))" }
            table.add([
                Table.Cell(channel.channel, paint: style.strong),
                Table.Cell(channel.release),
                Table.Cell(end ?? "never"),
                Table.Cell(channel.url ?? ""),
            ])
        }
        for channel in document.ended {
            table.add([
                Table.Cell(channel.channel, paint: style.faint),
                Table.Cell("nothing"),
                Table.Cell("ended on \(Wording.moment(channel.date)) by \(channel.by)"),
                Table.Cell(""),
            ])
        }
        let text =
            table.isEmpty
            ? "No channels. Create one with: ota publish build.ipa" : table.text(style: style)
        guard hidden > 0 else { return text }
        let have = hidden == 1 ? "has" : "have"
        return text + (text.hasSuffix("\n") ? "" : "\n")
            + "\(Wording.count(hidden, "channel")) \(have) ended; use --all to list ended channels."
    }
}
