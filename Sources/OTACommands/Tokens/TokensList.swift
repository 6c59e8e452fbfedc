import APIDocuments
import Access
import Administration
import ArgumentParser
import Foundation
import Releases

struct TokensList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List tokens, without their secrets.",
        discussion: """
            Example:
              ota tokens list --json
            """,
    )

    @Flag(help: "Include expired and revoked tokens.")
    var all = false

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context).perform(ListTokens(all: all))
        try context.show(TokenTable(document: document, now: context.now()), json: output.json)
    }
}

private struct TokenTable: CommandResult {
    let document: TokensDocument
    let now: Date

    func text(style: Style) -> String {
        var table = Table(["NAME", "MAY", "MADE", "UNTIL", "IDENTIFIER"])
        for token in document.tokens {
            table.add([
                Table.Cell(token.name, paint: style.strong),
                Table.Cell(token.scopes.map(\.description).joined(separator: " ")),
                Table.Cell(Wording.day(token.created)),
                end(of: token, style),
                Table.Cell(token.identifier, paint: style.faint),
            ])
        }
        return table.isEmpty
            ? "No tokens: ota tokens create --name ci --scope publish" : table.text(style: style)
    }

    private func end(of token: TokenEntry, _ style: Style) -> Table.Cell {
        if token.revoked != nil { return Table.Cell("revoked", paint: style.bad) }
        guard let expires = token.expires else { return Table.Cell("no expiry") }
        return expires <= now
            ? Table.Cell("ended", paint: style.bad) : Table.Cell(Wording.day(expires))
    }
}
