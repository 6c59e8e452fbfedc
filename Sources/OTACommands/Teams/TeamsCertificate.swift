import APIDocuments
import Administration
import ArgumentParser
import Jobs
import Releases

struct TeamsCertificate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificate",
        abstract: "Show when a team's certificate expires, and create a new one.",
        discussion: """
            Apple allows a team two or three certificates. With --create, the server makes the \
            private key, which never leaves it. The current certificate is not revoked.
            Example:
              ota teams certificate ABCDE12345
              ota teams certificate ABCDE12345 --create
            """,
    )

    @OptionGroup var account: NamedAccount

    @Flag(help: "Create a certificate if the team has none, or one that expires soon.")
    var create = false

    @Flag(help: "Do not wait for the job; a running server runs it.")
    var noWait = false

    func validate() throws {
        guard create || !noWait else { throw ValidationError("--no-wait needs --create") }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let target = try account.open(in: context)
        var document = try await target.perform(
            CreateCertificate(account.team, isDryRun: !create)
        )
        if let job = document.job, !noWait {
            let following = JobFollowing(
                target: target,
                terminal: context.terminal,
                isQuiet: account.output.json,
                patience: JobFollowing.patienceAtApple,
            )
            document.job = try await Interruption.cancelling { try await following.end(of: job) }
            if let problem = document.job?.problemOrWait { throw problem }
        }
        try context.show(
            PlannedCertificate(document: document, isPlan: !create),
            json: account.output.json,
        )
    }
}

private struct PlannedCertificate: CommandResult {
    let document: TeamCertificateDocument
    /// Whether nothing was changed.
    let isPlan: Bool

    func text(style: Style) -> String {
        let text = document.text.printable
        switch document.plan {
        case .keep: return "\(style.good("✓")) \(text)"
        case .renew, .create:
            guard !isPlan else {
                return "\(style.warning("!")) \(text)\n  \(style.faint("fix")) "
                    + "run `ota teams certificate \(document.team) --create`"
            }
            guard let job = document.job, job.state != .done else {
                return style.good("Created")
                    + " a certificate. See it with `ota teams show \(document.team)`."
            }
            return "\(Wording.sentence(text)) \(job.waitingSentences)"
        }
    }
}
