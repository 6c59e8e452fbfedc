import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Identifiers
import Jobs
import Releases

struct TeamsSync: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract:
            "Compare the device register with a team's developer account and update both.",
        discussion: """
            The first time, it shows what it would do and asks whether the server may make such changes; \
            from then on, the server registers devices and renews profiles automatically. \
            Without a terminal and without --yes it changes nothing and exits with 1.
            Example:
              ota teams sync ABCDE12345 --dry-run
              ota teams sync ABCDE12345 --yes
            """,
    )

    @OptionGroup var account: NamedAccount

    @Flag(help: "Only show what would be done.")
    var dryRun = false

    @Flag(help: "Allow the server to make changes, without asking.")
    var yes = false

    @Flag(help: "Do not wait for the job; a running server runs it.")
    var noWait = false

    func validate() throws {
        guard !(dryRun && yes) else {
            throw ValidationError("give --dry-run or --yes, not both")
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let target = try account.open(in: context)
        let plan = try await target.perform(SyncTeam(account.team, isDryRun: true))
        guard !dryRun else { return try show(plan, isPlan: true, context) }
        if plan.agreed == nil, !yes {
            let question = SyncedTeam(document: plan, isPlan: true).text(style: .plain)
            let answer = context.terminal.confirms(
                question
                    + "\nAllow the server to make changes in this developer account from now on? [y/N] "
            )
            guard answer == true else {
                if answer == nil { try show(plan, isPlan: true, context) }
                context.terminal.remark(
                    "Nothing was changed. To allow the server to make changes: ota teams sync "
                        + "\(plan.team) --yes"
                )
                throw ExitCode(1)
            }
        }
        var done = try await target.perform(SyncTeam(account.team))
        if let job = done.job, !noWait {
            let following = JobFollowing(
                target: target,
                terminal: context.terminal,
                isQuiet: account.output.json,
                patience: JobFollowing.patienceAtApple,
            )
            done.job = try await Interruption.cancelling { try await following.end(of: job) }
            if let problem = done.job?.problemOrWait { throw problem }
        }
        try show(done, isPlan: false, context)
    }

    private func show(
        _ document: TeamSyncDocument,
        isPlan: Bool,
        _ context: CommandContext,
    ) throws {
        try context.show(
            SyncedTeam(document: document, isPlan: isPlan),
            json: account.output.json,
        )
    }
}

extension JobFollowing {
    /// Seconds; a job that waits longer for Apple is no longer followed.
    static let patienceAtApple: TimeInterval = 120
}

/// The differences between both registers, and what was done about them.
private struct SyncedTeam: CommandResult {
    let document: TeamSyncDocument
    /// Whether nothing was changed.
    let isPlan: Bool

    func text(style: Style) -> String {
        var lines = document.steps.map { step in
            isPlan ? "would \(step.printable)" : "• \(step.printable)"
        }
        for difference in document.differences {
            lines.append("\(style.warning("!")) \(difference.text.printable)")
            lines.append("  \(style.faint("fix")) \(difference.fix.printable)")
        }
        let slots = document.slots.map { "\($0.used) of \($0.limit) \($0.family.title) slots" }
        lines.append(
            "Apple counts " + (slots.isEmpty ? "no device." : slots.joined(separator: ", ") + ".")
        )
        lines.append(verdict(style))
        return lines.joined(separator: "\n")
    }

    private func verdict(_ style: Style) -> String {
        let count = Wording.count(document.steps.count, "change")
        if isPlan || document.steps.isEmpty { return document.summary }
        guard let job = document.job else { return "\(count)." }
        guard job.state == .done else {
            return "\(count) to make. \(job.waitingSentences)"
        }
        return style.good("Made") + " \(count)."
    }
}

extension JobEntry {
    /// Where to see a job that the command no longer follows.
    var waitingSentences: String {
        "The job is \(stateWords)." + (reason.map { " " + Wording.sentence($0.printable) } ?? "")
            + " See `ota jobs show \(id)`."
    }
}
