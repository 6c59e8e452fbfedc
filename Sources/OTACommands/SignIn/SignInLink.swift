import APIDocuments
import Administration
import ArgumentParser
import Problems
import Releases
import Store

struct SignInLink: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Create a one-time sign-in link for an admin, when nothing else works.",
        discussion: """
            The link works for 10 minutes, and the session lasts an hour. Run it on the server's machine, as \
            the server's user.
            Example:
              sudo -u ota ota sign-in link --name ana --store /var/lib/ota/store
            """,
    )

    @Option(help: "The admin's name in the activity log; default: the user of this machine.")
    var name: String?

    @Option(
        help: ArgumentHelp(
            "The server's URL; default: the one saved in the store.",
            valueName: "url",
        )
    )
    var baseURL: BaseURL?

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let store = try storeOptions.open(in: context)
        guard let base = try baseURL ?? store.settings().baseURL else {
            throw Problem(
                id: "sign-in.no-base-url",
                kind: .invalid,
                message: "the store does not know the server's URL",
                fix: "give --base-url https://ota.example.com",
            )
        }
        let admin = Administrator(of: store, named: context.actor, clock: context.now)
        let document = try admin.makeSignInLink(for: name ?? context.actor, at: base)
        try context.show(MadeSignInLink(document: document), json: output.json)
    }
}

private struct MadeSignInLink: CommandResult {
    let document: SignInLinkDocument

    func text(style: Style) -> String {
        "Open this within 10 minutes; it works once:\n\n  \(document.url.printable)\n"
    }
}
