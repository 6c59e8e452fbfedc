import APIDocuments
import Administration
import ArgumentParser
import Bundles
import Foundation
import Identifiers
import Releases

struct DevicesShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one device.",
        discussion: """
            Example:
              ota devices show 00008120-000A1B2C3D4E5F67
            """,
    )

    @Argument(help: "The device's UDID.")
    var udid: DeviceUDID

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context)
            .perform(LookUpDevice(LookupRequest(udid: udid)))
        try context.show(DeviceCard(document: document), json: output.json)
    }
}

/// Everything that is known about one device, as lines.
private struct DeviceCard: CommandResult {
    let document: DeviceDocument

    func text(style: Style) -> String {
        let device = document.device
        let system = device.os.map { ", OS version \($0)" } ?? ""
        let lines = [
            device.name,
            device.udid.rawValue,
            (device.model.map { DeviceModel.name(of: $0) } ?? device.family.title) + system,
            "\(device.stateWords), since \(Wording.day(device.stateSince)), "
                + "added \(Wording.day(device.added))",
            device.groups.map { "in the groups \($0.joined(separator: ", "))" },
            device.team.map { "in the developer account of team \($0)" },
        ]
        let further = device.furtherTeams ?? []
        return
            (lines.compactMap(\.self)
            + further.map { "also in team \($0.team): \($0.state.words)" })
            .map(\.printable).joined(separator: "\n")
    }
}
