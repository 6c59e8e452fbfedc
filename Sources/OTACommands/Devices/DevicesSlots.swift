import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Identifiers
import Releases

struct DevicesSlots: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "slots",
        abstract: "Show how many of Apple's yearly slots are used.",
        discussion: """
            Apple allows 100 per product family and membership year. Set the day on which the \
            membership renews; disabled devices free their slots on that day.
            Example:
              ota devices slots --renews 2027-03-14
              ota devices slots --renews 2027-03-14 --team ABCDE12345
            """,
    )

    @Option(help: "The day on which the membership renews: YYYY-MM-DD.")
    var renews: Day?

    @Option(
        help: "The team whose membership renews; needed if several teams have a developer account."
    )
    var team: TeamIdentifier?

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard team == nil || renews != nil else {
            throw ValidationError("--team needs --renews; without it, all teams are shown")
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let administration = try target.open(in: context, creates: renews != nil)
        let document =
            if let renews {
                try await administration.perform(RenewMembership(on: renews.date, of: team))
            } else {
                try await administration.perform(ShowSlots())
            }
        try context.show(SlotList(document: document), json: output.json)
    }
}

private struct SlotList: CommandResult {
    let document: SlotsDocument

    func text(style: Style) -> String {
        document.slots.map { $0.text(style: style) }.joined(separator: "\n")
    }
}
