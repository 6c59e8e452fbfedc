import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Identifiers
import Releases

struct ChannelsEnd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "End a channel now, such as when its pull request is closed.",
        discussion: """
            Builds that no other channel offers can no longer be installed; installed copies stay. \
            Ending a channel that has already ended, or never existed, changes nothing, so a job can safely \
            repeat it. `ota releases prune` and `ota store gc` then free the space.
            Example:
              ota channels end browsey pr-12
            """,
    )

    @Argument(help: "The app, by bundle identifier or slug.")
    var app: String

    @Argument(help: "The channel.")
    var channel: ChannelName

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context)
            .perform(EndChannel(channel.rawValue, of: app))
        try context.show(EndResult(document: document), json: output.json)
    }

    private struct EndResult: CommandResult {
        let document: EndedChannelDocument

        func text(style: Style) -> String {
            let name = "\(document.channel) of \(document.app)".printable
            guard document.changed else {
                return document.ended.map { "\(name) already ended on \(Wording.moment($0))." }
                    ?? "There is no channel \(name); nothing changed."
            }
            let builds = Wording.count(document.withdrawn.count, "build")
            return style.good("Ended") + " \(name)."
                + (document.withdrawn.isEmpty
                    ? " No build was withdrawn."
                    : " \(builds) can no longer be installed.")
        }
    }
}
