import Access
import ArgumentParser
import Foundation
import Releases
import Store

struct TokensList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the tokens; secrets are kept nowhere.",
        discussion: """
            Example:
              ota tokens list --json
            """,
    )

    @Flag(help: "Also list those that ended or were revoked.")
    var all = false

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let now = context.now()
        let tokens = try storeOptions.open(in: context).tokens().tokens
            .filter { all || $0.refusal(at: now) == nil }
        try context.show(TokenTable(tokens: tokens, now: now), json: output.json)
    }
}

private struct TokenTable: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let tokens: [TokenRow]
    }

    let tokens: [AccessToken]
    let now: Date

    var document: Document { Document(tokens: tokens.map(TokenRow.init)) }

    func text(style: Style) -> String {
        var table = Table(["NAME", "MAY", "MADE", "UNTIL", "IDENTIFIER"])
        for token in tokens {
            let until: Table.Cell =
                switch token.refusal(at: now) {
                case .revoked: Table.Cell("revoked", paint: style.bad)
                case .expired: Table.Cell("ended", paint: style.bad)
                default: Table.Cell(token.expires.map { Wording.day($0) } ?? "revoked")
                }
            table.add([
                Table.Cell(token.name, paint: style.strong),
                Table.Cell(token.scopes.map(\.description).joined(separator: " ")),
                Table.Cell(Wording.day(token.created)),
                until,
                Table.Cell(token.identifier, paint: style.faint),
            ])
        }
        return table.isEmpty
            ? "No tokens: ota tokens create --name ci --scope publish" : table.text(style: style)
    }
}

/// A token as commands show it.
struct TokenRow: Encodable {
    let identifier: String
    let name: String
    let scopes: [Scope]
    let created: Date
    let expires: Date?
    let revoked: Date?

    init(_ token: AccessToken) {
        identifier = token.identifier
        name = token.name
        scopes = token.scopes
        created = token.created
        expires = token.expires
        revoked = token.revoked
    }
}
