import Administration
import ArgumentParser
import Foundation
import Inspection
import Releases
import Store

struct ProfilesCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Exit 1 when a profile or all its certificates expire soon.",
        discussion: """
            Only profiles of builds that some channel offers now count, and those added by hand.
            Example:
              ota profiles check --within 30d
            """,
    )

    @Option(help: "How far ahead to look, such as 30d or 2w.")
    var within: Span = .init(days: 30)

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        let now = context.now()
        let administrator = Administrator(of: store, named: context.actor, clock: context.now)
        let expiring = try administrator.profilesExpiring(until: now + within.seconds)
        let table = ProfileTable(
            records: expiring,
            now: now,
            emptySentence: "Nothing expires within \(within.text).",
        )
        try context.show(table, json: output.json)
        if !expiring.isEmpty { throw ExitCode(1) }
    }
}
