import ArgumentParser
import Bundles
import Releases
import Store

struct DevicesApprove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Let devices that have enrolled take a slot.",
        discussion: """
            Example:
              ota devices approve 00008120-000A1B2C3D4E5F67
              ota devices approve --all
            """,
    )

    @Argument(help: "The devices' UDIDs.")
    var udids: [DeviceUDID] = []

    @Flag(help: "Every device that waits.")
    var all = false

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard udids.isEmpty == all else {
            throw ValidationError("give UDIDs, or --all")
        }
    }

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        let now = context.now()
        var approved: [Device] = []
        let register = try store.changeDevices { register in
            approved = []
            for udid in all ? register.pending.map(\.udid) : udids {
                let isNew = register[udid]?.state == .enrolled
                let device = try register.approve(udid, at: now, by: context.actor)
                if isNew { approved.append(device) }
            }
        }
        for device in approved {
            try store.record(
                Activity(
                    date: now,
                    actor: context.actor,
                    event: .deviceApproved,
                    subject: device.name,
                )
            )
        }
        let result = ApprovedDevices(devices: approved, slots: register.slots(at: now))
        try context.show(result, json: output.json)
    }
}

private struct ApprovedDevices: CommandResult {
    let devices: [Device]
    let slots: [DeviceSlots]

    var document: DeviceList.Document { DeviceList(devices: devices, slots: slots).document }

    func text(style: Style) -> String {
        guard !devices.isEmpty else { return "No device waits for approval." }
        let names = devices.map { style.strong($0.name.printable) }.joined(separator: ", ")
        return "Approved \(names). Export them for Apple with `ota devices export`.\n"
            + slots.map { SlotRow($0).text(style: style) }.joined(separator: "\n")
    }
}
