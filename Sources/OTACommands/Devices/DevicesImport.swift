import ArgumentParser
import Bundles
import Foundation
import Releases
import Store

struct DevicesImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Add the devices of a list from Apple's developer site.",
        discussion: """
            The file is tab-separated: Device ID, Device Name, Device Platform. All of it is added or \
            nothing; devices that are there already are left as they are.
            Example:
              ota devices import devices.txt --registered
            """,
    )

    @Argument(help: "The file, or - for standard input.")
    var file: String

    @Flag(help: "The developer account has these devices already.")
    var registered = false

    @Option(help: "The family of devices whose line does not tell; Apple's list names none.")
    var family: ProductFamily = .iphone

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let rows = try AppleDeviceFile.read(try TextInput.read(file, limit: 4 << 20))
        let store = try storeOptions.openOrCreate(in: context)
        let now = context.now()
        var added = 0
        try store.changeDevices { register in
            added = 0
            for row in rows {
                if let known = register[row.udid], known.state != .disabled {
                    if registered { try register.markRegistered(row.udid, at: now) }
                    continue
                }
                let device = Device(
                    udid: row.udid,
                    name: String(row.name.prefix(DeviceRegister.nameLimit)),
                    family: row.platform == "mac" ? .mac : family,
                    state: registered ? .registered : .approved,
                    added: now,
                )
                try register.add(device, at: now)
                added += 1
            }
        }
        let result = ImportResult(added: added, known: rows.count - added)
        try store.record(
            Activity(
                date: now,
                actor: context.actor,
                event: .devicesImported,
                subject: Wording.count(result.added, "device"),
            )
        )
        try context.show(result, json: output.json)
    }
}

private struct ImportResult: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let added: Int
        let known: Int
    }

    let added: Int
    let known: Int

    var document: Document { Document(added: added, known: known) }

    func text(style: Style) -> String {
        "Added \(Wording.count(added, "device")); \(known) of the list "
            + (known == 1 ? "was" : "were") + " in the register already."
    }
}
