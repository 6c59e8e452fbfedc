import APIDocuments
import Administration
import ArgumentParser
import Cryptography
import Foundation
import Identifiers
import Releases
import Store

struct TeamsList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the teams with their certificates and profiles.",
        discussion: """
            Example:
              ota teams list --json
            """,
    )

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let opened = try target.open(in: context)
        let document = try await opened.perform(ListTeams())
        var locked: Set<String> = []
        // Without a key file this is unknown: the server may have one.
        if case .store(let local) = opened,
            let file = SealingKeyFile(option: nil, environment: context.environment)
        {
            let teams = try local.admin.store.lockedTeams(by: file)?.teams ?? []
            locked = Set(teams.map(\.identifier.rawValue))
        }
        let table = TeamTable(document: document, locked: locked, now: context.now())
        try context.show(table, json: output.json)
    }
}

private struct TeamTable: CommandResult {
    let document: TeamsDocument
    /// The identifiers of teams whose private key cannot be unsealed with OTA_KEY_FILE.
    let locked: Set<String>
    let now: Date

    func text(style: Style) -> String {
        guard !document.teams.isEmpty else {
            return "No teams: ota teams add ABCDE12345 --identity dist.p12 --key-file FILE"
        }
        var table = Table(["TEAM", "NAME", "CERTIFICATE", "ENDS", "PROFILES", "APPS", "STATE"])
        for team in document.teams {
            let obstacle =
                team.obstacle(at: now)
                ?? (locked.contains(team.identifier) ? "key file does not open it" : nil)
            table.add([
                Table.Cell(team.identifier, paint: style.strong),
                Table.Cell(team.name),
                Table.Cell(team.identity?.kind.rawValue ?? "–"),
                Table.Cell(team.identity.map { Wording.day($0.expires) } ?? "–"),
                Table.Cell("\(team.profiles.count)"),
                Table.Cell("\(team.apps.count)"),
                obstacle.map { Table.Cell($0, paint: style.bad) }
                    ?? Table.Cell("can sign", paint: style.good),
            ])
        }
        return table.text(style: style)
    }
}
