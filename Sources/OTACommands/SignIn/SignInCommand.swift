import APIDocuments
import Access
import Administration
import ArgumentParser
import Identifiers
import Releases

struct SignInCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-in",
        abstract: "Let people sign in with an OpenID provider, and give them roles.",
        discussion: """
            Example:
              ota sign-in set --issuer https://accounts.google.com --client-id 12-ab.apps \\
                --client-secret-file google.secret --admins ana@example.com
              ota sign-in test
              ota sign-in sessions
            """,
        subcommands: [
            SignInSet.self, SignInShow.self, SignInTest.self, SignInRemove.self,
            SignInSessions.self, SignInEnd.self, SignInLink.self,
        ],
    )
}

struct SignInShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the sign-in settings, and what to register at the provider.",
        discussion: """
            Example:
              ota sign-in show
            """,
    )

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context).perform(ShowSignIn())
        try context.show(ShownSignIn(document: document), json: output.json)
    }
}

struct SignInTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Check that the provider offers everything that a sign-in needs.",
        discussion: """
            Example:
              ota sign-in test
            """,
    )

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context).perform(TestSignIn())
        try context.show(TriedSignIn(document: document), json: output.json)
    }
}

struct SignInRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove the sign-in settings, and end all sessions opened through the provider.",
        discussion: """
            Example:
              ota sign-in remove
            """,
    )

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context).perform(RemoveSignIn())
        try context.show(RemovedSignIn(document: document), json: output.json)
    }
}

struct SignInSessions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions",
        abstract: "List the people who are signed in.",
        discussion: """
            Example:
              ota sign-in sessions
              ota sign-in sessions --admins
            """,
    )

    @Flag(help: "Leave out people who signed in as testers.")
    var admins = false

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context).perform(
            ListPersonSessions(onlyOfAdmins: admins)
        )
        try context.show(PersonSessionTable(document: document), json: output.json)
    }
}

struct SignInEnd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "Sign someone out.",
        discussion: """
            Example:
              ota sign-in end 4f1d0c9a83b2
            """,
    )

    @Argument(help: "The session, as `ota sign-in sessions` lists it.")
    var session: String

    @Flag(help: "End all other sessions of the same person too, as an admin and as a tester.")
    var everywhere = false

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context).perform(
            EndPersonSession(session, isEverywhere: everywhere)
        )
        try context.show(EndedPersonSession(document: document), json: output.json)
    }
}

private struct TriedSignIn: CommandResult {
    let document: TriedSignInDocument

    func text(style: Style) -> String {
        let keys = Wording.count(document.keys, "key")
        return """
            \(style.good("OK")) \(document.issuer.printable) answers, with \(keys) that can be used.
            Its answers name their issuer: \(document.namesIssuer ? "yes" : "no").
            It announces sign-outs: \(document.announcesLogouts ? "yes" : "no").
            It signs people out when they sign out here: \(document.endsSessions ? "yes" : "no").
            """
    }
}

private struct RemovedSignIn: CommandResult {
    let document: SignInDocument

    func text(style: Style) -> String {
        "Removed sign-in by \(style.strong(document.signIn.name.printable)); tokens keep working."
    }
}

private struct EndedPersonSession: CommandResult {
    let document: EndedSessionDocument

    func text(style: Style) -> String { "Ended \(style.strong(document.ended.printable))." }
}

private struct PersonSessionTable: CommandResult {
    let document: PersonSessionsDocument

    func text(style: Style) -> String {
        var table = Table(["WHO", "MAY", "SINCE", "UNTIL", "SESSION"])
        for session in document.sessions {
            table.add([
                Table.Cell(session.name, paint: style.strong),
                Table.Cell(session.rightText),
                Table.Cell(Wording.moment(session.opened)),
                Table.Cell(Wording.moment(session.expires)),
                Table.Cell(session.identifier, paint: style.faint),
            ])
        }
        return table.isEmpty ? "No one is signed in." : table.text(style: style)
    }
}

extension PersonSessionEntry {
    /// The rights of the person, for display.
    var rightText: String {
        guard purpose == .tester else {
            return scopes.map(\.roleText).joined(separator: " ")
        }
        let names = groups.map(\.rawValue).joined(separator: ",")
        return names.isEmpty ? "tester" : "tester in \(names)"
    }
}
