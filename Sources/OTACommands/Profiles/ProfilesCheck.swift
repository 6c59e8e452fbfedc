import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Inspection
import Releases

struct ProfilesCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Exit with 1 if a profile, or all of its certificates, expire soon.",
        discussion: """
            Checks the profiles of releases on channels, and those that you added.
            Example:
              ota profiles check --within 30d
            """,
    )

    @Option(
        help: ArgumentHelp(
            "How far ahead to check, such as 90d or 2w; default: 30d.",
            valueName: "duration",
        )
    )
    var within: Span = .init(days: 30)

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let expiring = try await target.open(in: context)
            .perform(ListExpiringProfiles(withinSeconds: Int(within.seconds)))
        let table = ExpiringTable(
            document: expiring,
            now: context.now(),
            emptySentence: "Nothing expires within \(within.text).",
        )
        try context.show(table, json: output.json)
        if !expiring.profiles.isEmpty { throw ExitCode(1) }
    }
}
