import ArgumentParser
import Bundles
import Cryptography
import Foundation
import Inspection
import Publishing
import Releases

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract:
            "Show what a build contains: bundles, code, signatures, profiles, entitlements, files.",
        discussion: """
            Examples:
              ota inspect build.ipa
              ota inspect build.ipa --json
            """,
    )

    @Argument(help: "The build.")
    var build: BuildFile

    @Flag(help: "List the UDIDs in the profiles, not only their number.")
    var udids = false

    @OptionGroup var anchorOptions: AnchorOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let bar = ProgressBar(on: context.terminal, isQuiet: output.json)
        defer { bar.finish() }
        let examined = try Examination(anchors: anchorOptions.anchors(), date: context.now())
            .inspect(build.source()) { bar.update($0.title, fraction: $0.fraction) }
        bar.finish()
        try context.show(
            InspectResult(
                report: examined.report,
                contents: examined.contents,
                udids: udids,
                width: context.terminal.width,
                date: context.now(),
            ),
            json: output.json,
        )
    }
}
