import ArgumentParser

struct TokensCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract: "Access tokens for remote publishing and administration.",
        discussion: """
            Example:
              ota tokens create --name ci --scope publish --expires 90d
              ota tokens list
            """,
        subcommands: [TokensCreate.self, TokensList.self, TokensRevoke.self],
    )
}
