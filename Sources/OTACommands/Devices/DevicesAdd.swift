import ArgumentParser
import Bundles
import Foundation
import Releases
import Store

struct DevicesAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a device to the register.",
        discussion: """
            The identifier is 40 hexadecimal digits, or 8 and 16 with a hyphen between.
            Example:
              ota devices add 00008120-000A1B2C3D4E5F67 --name "Ana's iPhone" --model iPhone15,2
            """,
    )

    @Argument(help: "The device's UDID.")
    var udid: DeviceUDID

    @Option(help: "What people call it; the default is made from the family.")
    var name: String?

    @Option(
        help: "iphone, ipad, ipod, watch, tv, vision or mac; taken from the model, else iphone."
    )
    var family: ProductFamily?

    @Option(help: "The product type, such as iPhone15,2.")
    var model: String?

    @Option(help: "The version of its system, such as 18.1.")
    var os: OSVersion?

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.openOrCreate(in: context)
        let now = context.now()
        let family = family ?? model.flatMap(ProductFamily.init(model:)) ?? .iphone
        let register = try store.changeDevices { register in
            try register.add(
                Device(
                    udid: udid,
                    name: name ?? defaultName(family, in: register),
                    family: family,
                    model: model,
                    os: os,
                    added: now,
                ),
                at: now,
            )
        }
        guard let device = register[udid] else { throw DeviceRefusal.unknown }
        try store.record(
            Activity(date: now, actor: context.actor, event: .deviceAdded, subject: device.name)
        )
        let slots = register.slots(of: family, at: now)
        let sentence =
            "Added \(device.name); \(slots.used) of \(slots.limit) \(family.title) slots are "
            + "used. Builds made from now on can include it."
        try context.show(DeviceResult(device: device, sentence: sentence), json: output.json)
    }

    private func defaultName(_ family: ProductFamily, in register: DeviceRegister) -> String {
        let taken = Set(register.devices.map(\.name))
        let numbers = sequence(first: 1) { $0 + 1 }
        let free = numbers.first { !taken.contains("\(family.title) \($0)") } ?? 1
        return "\(family.title) \(free)"
    }
}
