import APIDocuments
import Access
import Administration
import ArgumentParser
import Foundation
import Problems
import Releases

struct SignInSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set the provider and the roles; replaces the previous settings.",
        discussion: """
            A role is viewer, publisher or admin; the first two can be for one app: viewer:browsey. A \
            person is an e-mail address that the provider has verified, or sub: and the provider's \
            identifier for the person. Testers sign in on install pages: --testers gives them \
            access to apps with sign-in access; members of a group can also open what is open to \
            that group.
            Example:
              ota sign-in set --issuer https://id.example --client-id ota --admins a@b.com
            The client's secret, which is kept from then on, and more roles:
              --client-secret-file ota.secret --name "Example ID" --scope groups
              --role-claim groups --role admin=it --role publisher:browsey=browsey-team
              --testers @example.com --tester-group qa=mobile-team
            """,
    )

    @Option(help: "The provider's issuer, exactly as in its discovery document.")
    var issuer: String

    @Option(help: "The identifier that the provider gave this server.")
    var clientID: String

    @Option(
        help: ArgumentHelp(
            """
            A file with the secret that the provider gave, or - for standard input; default: the \
            saved secret of the same issuer and client.
            """,
            valueName: "file",
        )
    )
    var clientSecretFile: String?

    @Flag(help: "This server is a public client at the provider, without a secret.")
    var publicClient = false

    @Option(help: "The provider's name on the button; default: the issuer's host.")
    var name: String?

    @Option(help: "An admin's e-mail address. May be repeated.")
    var admins: [String] = []

    @Option(help: "A role for a person: publisher=ana@example.com. May be repeated.")
    var person: [String] = []

    @Option(help: "The claim with people's groups, such as groups or realm_access.roles.")
    var roleClaim: String?

    @Option(help: "A role for a value of the claim: publisher:browsey=team. May be repeated.")
    var role: [String] = []

    @Option(
        help: """
            Who can sign in as a tester: everyone, @example.com, an e-mail address, or sub: and \
            the provider's identifier for the person. May be repeated.
            """
    )
    var testers: [String] = []

    @Option(help: "A person in a group of testers: beta=ana@example.com. May be repeated.")
    var testerPerson: [String] = []

    @Option(help: "A value of the claim for a group of testers: qa=mobile-team. May be repeated.")
    var testerGroup: [String] = []

    @Option(help: "An additional scope to request, such as groups. May be repeated.")
    var scope: [String] = []

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func validate() throws {
        guard !publicClient || clientSecretFile == nil else {
            throw ValidationError("a public client has no secret: leave --client-secret-file out")
        }
        _ = (try roles(), try allTesters())
    }

    func run(in context: CommandContext) async throws {
        var new = NewSignIn(issuer: issuer, clientID: clientID, roles: try roles())
        new.clientSecret = try clientSecretFile.map { path in
            String(try TextInput.read(path, limit: 4096).prefix { !$0.isNewline })
        }
        new.isPublicClient = publicClient ? true : nil
        new.name = name
        new.roleClaim = roleClaim
        let testers = try allTesters()
        new.testers = testers.isEmpty ? nil : testers
        new.scopes = scope.isEmpty ? nil : scope
        let document = try await target.open(in: context, creates: true).perform(SetSignIn(new))
        try context.show(ShownSignIn(document: document), json: output.json)
    }

    private func roles() throws -> [NewSignIn.Role] {
        admins.map { NewSignIn.Role(role: .admin, person: $0) }
            + (try person.map { try Self.role($0, .person, "--person") })
            + (try role.map { try Self.role($0, .claim, "--role") })
    }

    private func allTesters() throws -> [NewSignIn.Tester] {
        testers.map { NewSignIn.Tester(person: $0) }
            + (try testerPerson.map { try Self.tester($0, .person, "--tester-person") })
            + (try testerGroup.map { try Self.tester($0, .claim, "--tester-group") })
    }

    private static func role(
        _ text: String,
        _ source: SignInSource,
        _ option: String,
    ) throws -> NewSignIn.Role {
        guard let role = NewSignIn.Role(text, by: source) else {
            throw ValidationError("\(option) \(NewSignIn.Role.kindOfText)")
        }
        return role
    }

    private static func tester(
        _ text: String,
        _ source: SignInSource,
        _ option: String,
    ) throws -> NewSignIn.Tester {
        guard let tester = NewSignIn.Tester(text, by: source) else {
            throw ValidationError("\(option) \(NewSignIn.Tester.kindOfText)")
        }
        return tester
    }
}

/// The sign-in settings, and what has to be configured at the provider.
struct ShownSignIn: CommandResult {
    let document: SignInDocument

    func text(style: Style) -> String {
        let signIn = document.signIn
        var lines = [
            "People sign in with \(style.strong(signIn.name.printable)), \(signIn.issuer.printable), "
                + "as the client \(signIn.clientID.printable)"
                + (signIn.hasSecret ? "." : ", which has no secret.")
        ]
        for role in signIn.roles {
            let right = role.role.rawValue + (role.app.map { " of \($0)" } ?? "")
            let claim = role.claim.map { "\(signIn.roleClaim ?? "") \($0)" }
            lines.append("  \(right): \((role.person ?? claim ?? "").printable)")
        }
        for tester in signIn.testers {
            let right = "tester" + (tester.group.map { " in \($0)" } ?? "")
            let claim = tester.claim.map { "\(signIn.roleClaim ?? "") \($0)" }
            lines.append("  \(right): \((tester.person ?? claim ?? "").printable)")
        }
        if let callback = signIn.callback, let after = signIn.afterSignOut,
            let logout = signIn.backChannelLogout
        {
            lines += [
                "Register at the provider:",
                "  redirect URI: \(callback)",
                "  post-logout redirect URI: \(after)",
                "  back-channel logout URI: \(logout)",
            ]
        }
        return lines.joined(separator: "\n")
    }
}
