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
        let limit = now + within.seconds
        let offered = try Set(
            store.apps().flatMap { app in
                app.channels.values.map { "\(app.bundleIdentifier) \($0)" }
            }
        )
        let expiring = try store.profiles().byExpiry.filter { record in
            let isInUse =
                record.uses.isEmpty
                || record.uses.contains { offered.contains("\($0.app) \($0.release)") }
            let certificates = record.certificates.map(\.expires).max() ?? .distantFuture
            return isInUse && min(record.expires, certificates) <= limit
        }
        let table = ProfileTable(
            records: expiring,
            now: now,
            emptySentence: "Nothing expires within \(within.text).",
        )
        try context.show(table, json: output.json)
        if !expiring.isEmpty { throw ExitCode(1) }
    }
}
