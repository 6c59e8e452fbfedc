import APIDocuments
import Administration
import ArgumentParser
import Jobs

struct TeamsCertificate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificate",
        abstract: "Say whether a team's certificate serves, and create another one.",
        discussion: """
            Apple allows a team two or three of them. With --create, the private key is made by the \
            server and never leaves it. The present certificate is not revoked.
            Example:
              ota teams certificate ABCDE12345
              ota teams certificate ABCDE12345 --create
            """,
    )

    @OptionGroup var account: NamedAccount

    @Flag(help: "Create a certificate if the team has none that lasts.")
    var create = false

    @Flag(help: "Do not wait for the job; a running server does it.")
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
                    + "ota teams certificate \(document.team) --create"
            }
            guard let job = document.job, job.state != .done else {
                return style.good("Created") + " a certificate: ota teams show \(document.team)"
            }
            return "\(text): \(job.waitingWords)"
        }
    }
}
