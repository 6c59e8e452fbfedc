import ArgumentParser

struct TokensCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract: "Create and revoke access tokens for CI and admins.",
        discussion: """
            Example:
              ota tokens create --name ci --scope publish --expires 90d
              ota tokens list
            """,
        subcommands: [TokensCreate.self, TokensList.self, TokensRevoke.self],
    )
}
