import Access
import ArgumentParser
import Bundles
import Cryptography
import Foundation
import Releases
import Store

struct TokensCreate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a token; its secret is shown once.",
        discussion: """
            Example:
              ota tokens create --name ci --scope publish:com.example.app --expires 90d
              ota tokens create --name ana --scope admin --file ana.token
            """,
    )

    @Option(help: "What the activity log calls whoever uses it, 1 to 60 characters.")
    var name: String

    @Option(
        help: """
            read, publish or admin; the first two also for one app, by bundle identifier or slug: \
            publish:browsey. May be repeated.
            """
    )
    var scope: [String]

    @Option(help: "How long it lasts, such as 90d; without it until it is revoked.")
    var expires: Span?

    @Option(
        help: "Write the secret into this file, readable by its owner only, and do not print it."
    )
    var file: String?

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.openOrCreate(in: context)
        let scopes = try scope.map { try Self.scope($0, in: store) }
        let now = context.now()
        var made: (token: AccessToken, secret: TokenSecret)?
        try store.changeTokens { register in
            made = try register.create(
                name: name,
                scopes: scopes,
                expires: expires.map { now.addingTimeInterval($0.seconds) },
                at: now,
                random: randomBytes,
            )
        }
        guard let (token, secret) = made else { throw TokenRefusal.unknown }
        if let file { try SecretFile.write(Array((secret.text + "\n").utf8), to: file) }
        try store.record(
            Activity(
                date: now,
                actor: context.actor,
                event: .tokenCreated,
                subject: token.name,
                detail: token.scopes.map(\.description).joined(separator: " "),
            )
        )
        let result = CreatedToken(
            token: token,
            secret: file == nil ? secret.text : nil,
            file: file,
        )
        try context.show(result, json: output.json)
    }

    /// An app may be named by its slug too; what is stored is its bundle identifier.
    private static func scope(_ text: String, in store: OTAStore) throws -> Scope {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        if parts.count == 2,
            let app = try store.apps().first(where: { $0.slug.rawValue == parts[1] }),
            let action = Scope.Action(rawValue: parts[0]), action != .admin
        {
            return Scope(action, app: app.bundleIdentifier)
        }
        // A word without a dot is a slug, and there is no such app.
        guard let scope = Scope(text), scope.app?.rawValue.contains(".") ?? true else {
            throw CommandFailure(
                id: "token.bad-scope",
                message: "no scope: \(text.printable)",
                mend: "give read, publish or admin; the first two also as publish:APP with a "
                    + "bundle identifier or the slug of an app in the store",
            )
        }
        return scope
    }
}

private struct CreatedToken: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let token: TokenRow
        let secret: String?
        let file: String?
    }

    let token: AccessToken
    let secret: String?
    let file: String?

    var document: Document { Document(token: TokenRow(token), secret: secret, file: file) }

    func text(style: Style) -> String {
        let scopes = token.scopes.map(\.description).joined(separator: ", ")
        let end = token.expires.map { "until \(Wording.day($0))" } ?? "until it is revoked"
        let made = "Made the token \(style.strong(token.name)) for \(scopes), \(end)."
        if let file { return made + "\nIts secret is in \(file.printable)." }
        return made + "\nIts secret, which is not shown again:\n\n  \(secret ?? "")\n"
    }
}
