import APIDocuments
import Administration
import ArgumentParser
import Bundles
import Foundation
import Inspection
import Releases

struct ProfilesAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Track the expiry of a profile that no build uses yet.",
        discussion: """
            Example:
              ota profiles add Browsey_Ad_Hoc.mobileprovision
            """,
    )

    @Argument(help: "The .mobileprovision file.")
    var file: String

    @OptionGroup var anchorOptions: AnchorOptions
    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let bytes = try TextInput.bytes(file, limit: 4 << 20)
        let anchors = try anchorOptions.anchors()
        let document = try await target.open(in: context, creates: true, anchors: anchors)
            .perform(AddProfile(bytes, from: file))
        let table = ProfileTable(document: document, now: context.now(), emptySentence: "")
        try context.show(table, json: output.json)
    }
}
