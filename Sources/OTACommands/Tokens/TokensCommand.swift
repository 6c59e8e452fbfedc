import APIDocuments
import Administration
import ArgumentParser

struct TokensCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract: "Create, rotate and revoke access tokens for CI and admins.",
        discussion: """
            Example:
              ota tokens create --name ci --scope publish --expires 90d
              ota tokens list
            """,
        subcommands: [
            TokensCreate.self, TokensList.self, TokensRotate.self, TokensRevoke.self,
        ],
    )
}

struct TokensRotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Replace a token's secret; the old one stops working.",
        discussion: """
            The new token has the name, the scopes and the lifetime of the old one. A --file that \
            holds the old secret is replaced.
            Example:
              ota tokens rotate ci --file ci.token
            """,
    )

    @Argument(help: "The token's name or identifier.")
    var name: String

    @OptionGroup var secret: TokenSecretOptions
    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let administration = try target.open(in: context)
        let token = try await secret.check(replacing: name, of: administration)
        let document = try await administration.perform(RotateToken(token))
        let created = try await secret.handOver(document, as: "Rotated", of: administration)
        try context.show(created, json: output.json)
    }
}
