import APIDocuments
import Access
import Administration
import ArgumentParser
import Releases

struct TokensRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a token immediately.",
        discussion: """
            Example:
              ota tokens revoke ci
            """,
    )

    @Argument(help: "The token's name or identifier.")
    var name: String

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context).perform(RevokeToken(name))
        try context.show(RevokedToken(document: document), json: output.json)
    }
}

private struct RevokedToken: CommandResult {
    let document: TokenDocument

    func text(style: Style) -> String {
        "Revoked \(style.strong(document.token.name.printable))."
    }
}
