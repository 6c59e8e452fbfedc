import ArgumentParser
import Bundles
import Foundation
import Inspection
import Releases
import Store

struct ProfilesAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Watch the expiry of a profile that is in no build yet.",
        discussion: """
            Example:
              ota profiles add Browsey_Ad_Hoc.mobileprovision
            """,
    )

    @Argument(help: "The .mobileprovision file.")
    var file: String

    @OptionGroup var anchorOptions: AnchorOptions
    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let bytes = try TextInput.bytes(file, limit: 4 << 20)
        let envelope = ProfileEnvelope(bytes: bytes, place: file)
        let now = context.now()
        let profile = try envelope.judged(against: try anchorOptions.anchors(), at: now)
        let store = try storeOptions.openOrCreate(in: context)
        let summary = ProfileSummary(profile)
        try store.changeProfiles { $0.note(summary, in: nil) }
        try store.record(
            Activity(date: now, actor: context.actor, event: .profileAdded, subject: summary.name)
        )
        let records = try store.profiles().byExpiry.filter { $0.uuid == summary.uuid }
        let table = ProfileTable(records: records, now: now, emptySentence: "")
        try context.show(table, json: output.json)
    }
}
