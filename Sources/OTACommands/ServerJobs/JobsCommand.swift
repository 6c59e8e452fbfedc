import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Jobs
import Releases

struct JobsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs",
        abstract: "Show the work that a server does by itself, and why some of it waits.",
        discussion: """
            Example:
              ota jobs list
              ota jobs retry 20261123-172541-3fa9c2d4
            """,
        subcommands: [JobsList.self, JobsShow.self, JobsRetry.self, JobsCancel.self],
    )
}

/// What every command on one job is given.
struct NamedJob: ParsableArguments {
    @Argument(help: "The job's identifier.")
    var job: String

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions
}

struct JobsShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one job: its step, its attempts, and why it waits or failed.",
        discussion: """
            Example:
              ota jobs show 20261123-172541-3fa9c2d4
            """,
    )

    @OptionGroup var named: NamedJob

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await named.target.open(in: context).perform(ShowJob(named.job))
        try context.show(ShownJob(document: document), json: named.output.json)
    }
}

private struct ShownJob: CommandResult {
    let document: JobDocument

    func text(style: Style) -> String {
        let job = document.job
        var lines = [
            "\(style.strong(job.id)): \(job.title.printable)", job.stateWords,
            "asked for by \(job.by.printable) on \(Wording.moment(job.created))",
            "changed on \(Wording.moment(job.changed))",
        ]
        if let reason = job.reason { lines.append("because \(reason.printable)") }
        if let fix = job.fix { lines.append("fix: \(fix.printable)") }
        return lines.joined(separator: "\n")
    }
}

struct JobsRetry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Let a job that waits, failed or was cancelled be tried now.",
        discussion: """
            A running server begins it within seconds, with all of its attempts again.
            Example:
              ota jobs retry 20261123-172541-3fa9c2d4
            """,
    )

    @OptionGroup var named: NamedJob

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await named.target.open(in: context).perform(RetryJob(named.job))
        let sentence = "The job to \(document.job.title) will be tried now."
        try context.show(
            JobResult(document: document, sentence: sentence),
            json: named.output.json,
        )
    }
}

struct JobsCancel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancel a job; one that runs ends before its next step.",
        discussion: """
            Example:
              ota jobs cancel 20261123-172541-3fa9c2d4
            """,
    )

    @OptionGroup var named: NamedJob

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await named.target.open(in: context).perform(CancelJob(named.job))
        let job = document.job
        let sentence =
            job.state == .cancelled
            ? "Cancelled the job to \(job.title)."
            : "The job to \(job.title) ends before its next step."
        try context.show(
            JobResult(document: document, sentence: sentence),
            json: named.output.json,
        )
    }
}

private struct JobResult: CommandResult {
    let document: JobDocument
    let sentence: String

    func text(style: Style) -> String { sentence.printable }
}
