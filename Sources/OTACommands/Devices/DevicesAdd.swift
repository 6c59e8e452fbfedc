import APIDocuments
import Administration
import ArgumentParser
import Bundles
import Foundation
import Identifiers
import Releases

struct DevicesAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Register a device by its identifier (UDID).",
        discussion: """
            The identifier is 40 hexadecimal digits, or 24, with or without the hyphen after the eighth.
            Example:
              ota devices add 00008120-000A1B2C3D4E5F67 --name Ana --model iPhone15,2
            """,
    )

    @Argument(help: "The device's UDID.")
    var udid: DeviceUDID

    @Option(help: "The device's name; default: derived from the family.")
    var name: String?

    @Option(
        help: "iphone, ipad, ipod, watch, tv, vision or mac; default: from the model, or iphone."
    )
    var family: ProductFamily?

    @Option(help: "The product type, such as iPhone15,2.")
    var model: String?

    @Option(help: "The device's OS version, such as 18.1.")
    var os: OSVersion?

    @Option(help: "The device's team; needed if several teams have a developer account.")
    var team: TeamIdentifier?

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let administration = try target.open(in: context, creates: true)
        let document = try await administration.perform(
            AddDevice(
                NewDevice(
                    udid: udid,
                    name: name,
                    family: family,
                    model: model,
                    os: os,
                    team: team,
                )
            )
        )
        let device = document.device
        let teams = team == nil ? [] : try await administration.perform(ListTeams()).teams
        let owner = teams.first { $0.identifier == document.slots?.team }
        let whose = owner.map { " of the team \($0.name)" } ?? ""
        let slots = document.slots.map {
            "; \($0.used) of \($0.limit) \($0.family.title) slots\(whose) used"
        }
        let sentence =
            "Added \(device.name)\(slots ?? ""). Builds made from now on can include it."
        try context.show(
            DeviceResult(document: document, sentence: sentence),
            json: output.json,
        )
    }
}
