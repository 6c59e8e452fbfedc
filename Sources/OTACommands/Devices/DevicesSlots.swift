import ArgumentParser
import Foundation
import Releases
import Store

struct DevicesSlots: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "slots",
        abstract: "Show how many of Apple's yearly slots are used.",
        discussion: """
            Apple gives 100 per product family and membership year. Say when the year begins, and \
            devices taken out of use give their slots back then.
            Example:
              ota devices slots --renews 2027-03-14
            """,
    )

    @Option(help: "A day on which the membership renews, as YYYY-MM-DD.")
    var renews: Day?

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store =
            try renews == nil
            ? storeOptions.open(in: context) : storeOptions.openOrCreate(in: context)
        if let renews {
            try store.changeDevices { $0.renewal = renews.date }
            try store.record(
                Activity(
                    date: context.now(),
                    actor: context.actor,
                    event: .settingsChanged,
                    subject: "membership year",
                )
            )
        }
        let slots = try store.devices().slots(at: context.now())
        try context.show(SlotList(slots: slots), json: output.json)
    }
}

private struct SlotList: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let slots: [SlotRow]
    }

    let slots: [DeviceSlots]

    var document: Document { Document(slots: slots.map(SlotRow.init)) }

    func text(style: Style) -> String {
        slots.map { SlotRow($0).text(style: style) }.joined(separator: "\n")
    }
}
