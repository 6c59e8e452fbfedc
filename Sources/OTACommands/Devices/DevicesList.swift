import APIDocuments
import Administration
import ArgumentParser
import Bundles
import Foundation
import Identifiers
import Releases

struct DevicesList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the devices and the slots that they use.",
        discussion: """
            Example:
              ota devices list --json
              ota devices list --state pending --sort name
              ota devices list --csv > devices.csv
            """,
    )

    @Flag(help: "Include disabled devices.")
    var all = false

    @Option(help: "Only devices in this team's developer account, and its slots.")
    var team: TeamIdentifier?

    @OptionGroup var selection: DeviceSelection

    @Flag(help: "Print every device as comma-separated values, including disabled ones.")
    var csv = false

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !csv || !output.json && team == nil && !selection.isGiven else {
            throw ValidationError(
                "give --csv without --json, --team, --state, --family and --sort"
            )
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let target = try target.open(in: context)
        if csv { return try await target.print(.devices, to: context.terminal) }
        let whole = try await target.devices(all: all || selection.state == .disabled)
        let devices = selection.applied(to: whole.devices.filter { $0.belongs(to: team) })
        let named = whole.slots.filter { team == nil || $0.team == team?.rawValue }
        // Devices without a team take slots of the only team.
        let unnamed = devices.isEmpty ? [] : whole.slots.filter { $0.team == nil }
        let document = DevicesDocument(devices: devices, slots: named.isEmpty ? unnamed : named)
        let list = DeviceList(document: document, team: team, isChosen: selection.isGiven)
        try context.show(list, json: output.json)
    }
}

/// The register as a table, with the slots below.
private struct DeviceList: CommandResult {
    let document: DevicesDocument
    /// The only team that is listed; nil for all.
    let team: TeamIdentifier?
    /// Whether only some devices are listed.
    let isChosen: Bool

    func text(style: Style) -> String {
        // With only one team, every row would be the same.
        let hasTeams =
            Set(document.devices.map(\.team)).count > 1
            || document.devices.contains { $0.furtherTeams != nil }
        let owners = hasTeams ? ["TEAM"] : []
        var table = Table(["NAME", "FAMILY", "MODEL", "OS", "STATE"] + owners + ["UDID"])
        for device in document.devices {
            let owner = hasTeams ? [Table.Cell(device.teamWords)] : []
            table.add(
                [
                    Table.Cell(device.name, paint: style.strong),
                    Table.Cell(device.family.title),
                    Table.Cell(device.model.map { DeviceModel.name(of: $0) } ?? "–"),
                    Table.Cell(device.os ?? "–"),
                    Table.Cell(device.stateWords),
                ] + owner + [Table.Cell(device.udid.rawValue, paint: style.faint)]
            )
        }
        let nothing =
            isChosen
            ? "No device matches."
            : team.map { "No devices in the team \($0)." }
                ?? "No devices yet: ota devices add UDID"
        let list = table.isEmpty ? nothing : table.text(style: style)
        return list + "\n\n"
            + document.slots.map { $0.text(style: style) }.joined(separator: "\n")
    }
}
