import ArgumentParser
import Bundles
import Releases
import Store

struct DevicesRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Take a device out of use.",
        discussion: """
            Its slot stays used until the membership year ends, as it does at Apple. With --forget \
            the device is erased instead: for one that never was in the developer account.
            Example:
              ota devices remove 00008120-000A1B2C3D4E5F67
            """,
    )

    @Argument(help: "The device's UDID.")
    var udid: DeviceUDID

    @Flag(help: "Erase every trace of it, and free the slot here.")
    var forget = false

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        let now = context.now()
        var removed: Device?
        try store.changeDevices { register in
            removed =
                forget ? try register.forget(udid) : try register.disable(udid, at: now)
        }
        guard let device = removed else { throw DeviceRefusal.unknown }
        try store.record(
            Activity(
                date: now,
                actor: context.actor,
                event: .deviceRemoved,
                subject: forget ? "a device" : device.name,
            )
        )
        let sentence =
            forget
            ? "Erased \(device.name)."
            : "Took \(device.name) out of use; its slot stays used until the membership renews."
        try context.show(DeviceResult(device: device, sentence: sentence), json: output.json)
    }
}
