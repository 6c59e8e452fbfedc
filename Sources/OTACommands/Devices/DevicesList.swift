import ArgumentParser
import Bundles
import Foundation
import Releases
import Store

struct DevicesList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the devices and the slots they take.",
        discussion: """
            Example:
              ota devices list --json
            """,
    )

    @Flag(help: "Also list devices taken out of use.")
    var all = false

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let register = try storeOptions.open(in: context).devices()
        let result = DeviceList(
            devices: all ? register.devices : register.active,
            slots: register.slots(at: context.now()),
        )
        try context.show(result, json: output.json)
    }
}

/// The register as a table, with the slots below.
struct DeviceList: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let devices: [DeviceRow]
        let slots: [SlotRow]
    }

    let devices: [Device]
    let slots: [DeviceSlots]

    var document: Document {
        Document(devices: devices.map(DeviceRow.init), slots: slots.map(SlotRow.init))
    }

    func text(style: Style) -> String {
        var table = Table(["NAME", "FAMILY", "MODEL", "OS", "STATE", "UDID"])
        for device in devices {
            table.add([
                Table.Cell(device.name, paint: style.strong),
                Table.Cell(device.family.title),
                Table.Cell(device.model ?? "–"),
                Table.Cell(device.os?.description ?? "–"),
                Table.Cell(device.state.rawValue),
                Table.Cell(device.udid.rawValue, paint: style.faint),
            ])
        }
        let list = table.isEmpty ? "No devices yet: ota devices add UDID" : table.text(style: style)
        return list + "\n\n" + slots.map { SlotRow($0).text(style: style) }.joined(separator: "\n")
    }
}

/// One family's budget as commands show it.
struct SlotRow: Encodable {
    let family: String
    let used: Int
    let limit: Int
    let resets: Date?
    private let title: String

    init(_ slots: DeviceSlots) {
        family = slots.family.rawValue
        used = slots.used
        limit = slots.limit
        resets = slots.resets
        title = slots.family.title
    }

    private enum Key: String, CodingKey { case family, used, limit, resets }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(family, forKey: .family)
        try container.encode(used, forKey: .used)
        try container.encode(limit, forKey: .limit)
        try container.encode(resets, forKey: .resets)
    }

    func text(style: Style) -> String {
        let count = "\(used) of \(limit)"
        let paint = used >= limit ? style.bad : used >= limit * 9 / 10 ? style.warning : style.good
        let reset = resets.map { ", disabled devices give theirs back on \(Wording.day($0))" } ?? ""
        return "\(title): \(paint(count)) slots used\(reset)"
    }
}
