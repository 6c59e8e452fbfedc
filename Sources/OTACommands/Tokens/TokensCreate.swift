import APIDocuments
import Administration
import ArgumentParser
import Foundation

struct TokensCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a token; its secret is shown once.",
        discussion: """
            Example:
              ota tokens create --name ci --scope publish:com.example.app --expires 90d
              ota tokens create --name ana --scope admin --file ana.token
            """,
    )

    @Option(help: "The token's name in the activity log, 1 to 60 characters.")
    var name: String

    @Option(
        help: """
            read, publish or admin. Limit the first two to one app by bundle identifier or slug: \
            publish:browsey. May be repeated.
            """
    )
    var scope: [String]

    @Option(help: "How long the token is valid, such as 90d; default: until it is revoked.")
    var expires: Span?

    @OptionGroup var secret: TokenSecretOptions
    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        try secret.check()
        let administration = try target.open(in: context, creates: true)
        let end = expires.map { context.now().addingTimeInterval($0.seconds) }
        let document = try await administration.perform(
            CreateToken(NewToken(name: name, scopes: scope, expires: end))
        )
        let created = try await secret.handOver(document, of: administration)
        try context.show(created, json: output.json)
    }
}
