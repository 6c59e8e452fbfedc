import APIDocuments
import Access
import Administration
import ArgumentParser
import Bundles
import Cryptography
import Foundation
import Problems
import Releases

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

    @Option(help: "Its name in the activity log, 1 to 60 characters.")
    var name: String

    @Option(
        help: """
            read, publish or admin. Limit the first two to one app by bundle identifier or slug: \
            publish:browsey. May be repeated.
            """
    )
    var scope: [String]

    @Option(help: "How long it is valid, such as 90d; default: until it is revoked.")
    var expires: Span?

    @Option(
        help: "Write the secret to this file, readable only by its owner, instead of printing it."
    )
    var file: String?

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        if let file, FileManager.default.fileExists(atPath: file) {
            throw Problem(
                id: "token.file-exists",
                kind: .conflict,
                message: "the file already exists, and may hold the only copy of a secret",
                place: file,
                fix: "give another --file, or remove the existing one first",
            )
        }
        let administration = try target.open(in: context, creates: true)
        let end = expires.map { context.now().addingTimeInterval($0.seconds) }
        var document = try await administration.perform(
            CreateToken(NewToken(name: name, scopes: scope, expires: end))
        )
        if let file, let secret = document.secret {
            do {
                try SecretFile.write(Array((secret + "\n").utf8), to: file)
            } catch {
                // Its secret is lost.
                _ = try? await administration.perform(RevokeToken(document.token.identifier))
                throw error
            }
            document.secret = nil
            document.file = file
        }
        try context.show(CreatedToken(document: document), json: output.json)
    }
}

private struct CreatedToken: CommandResult {
    let document: CreatedTokenDocument

    func text(style: Style) -> String {
        let token = document.token
        let scopes = token.scopes.map(\.description).joined(separator: ", ")
        let end = token.expires.map { "until \(Wording.moment($0))" } ?? "until revoked"
        let made =
            "Created the token \(style.strong(token.name.printable)) for \(scopes), valid "
            + "\(end)."
        if let file = document.file { return made + "\nSaved its secret to \(file.printable)." }
        let secret = (document.secret ?? "").printable
        return made + "\nIts secret, which is shown only once:\n\n  \(secret)\n"
    }
}
