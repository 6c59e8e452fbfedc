import ArgumentParser
import Bundles
import Releases
import Store

struct DevicesRename: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Give a device another name.",
        discussion: """
            Example:
              ota devices rename 00008120-000A1B2C3D4E5F67 "Ben's iPhone"
            """,
    )

    @Argument(help: "The device's UDID.")
    var udid: DeviceUDID

    @Argument(help: "The new name, 1 to 50 characters.")
    var name: String

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        var before = ""
        let register = try store.changeDevices { register in
            before = register[udid]?.name ?? ""
            try register.rename(udid, to: name)
        }
        guard let device = register[udid] else { throw DeviceRefusal.unknown }
        try store.record(
            Activity(
                date: context.now(),
                actor: context.actor,
                event: .deviceRenamed,
                subject: name,
                detail: "was \(before)",
            )
        )
        let result = DeviceResult(device: device, sentence: "Renamed \(before) to \(name).")
        try context.show(result, json: output.json)
    }
}
