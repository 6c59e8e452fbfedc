import Access
import ArgumentParser
import Releases
import Store

struct TokensRevoke: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Take a token's right away, at once.",
        discussion: """
            Example:
              ota tokens revoke ci
            """,
    )

    @Argument(help: "The token's name or identifier.")
    var name: String

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        var revoked: AccessToken?
        try store.changeTokens { revoked = try $0.revoke(name, at: context.now()) }
        guard let revoked else { throw TokenRefusal.unknown }
        try store.record(
            Activity(
                date: context.now(),
                actor: context.actor,
                event: .tokenRevoked,
                subject: revoked.name,
            )
        )
        try context.show(RevokedToken(token: revoked), json: output.json)
    }
}

private struct RevokedToken: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let token: TokenRow
    }

    let token: AccessToken

    var document: Document { Document(token: TokenRow(token)) }

    func text(style: Style) -> String { "Revoked \(style.strong(token.name))." }
}
