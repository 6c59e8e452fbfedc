import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Jobs
import Releases

struct JobsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs",
        abstract: "Show the jobs that a server runs in the background.",
        discussion: """
            Example:
              ota jobs list
              ota jobs retry 20261123-172541-3fa9c2d4
            """,
        subcommands: [JobsList.self, JobsShow.self, JobsRetry.self, JobsCancel.self],
    )
}

/// The argument and options of every command on one job.
struct NamedJob: ParsableArguments {
    @Argument(help: "The job's identifier.")
    var job: String

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions
}

struct JobsShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one job: its state, its attempts, and why it is waiting or failed.",
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
            "requested by \(job.by.printable) on \(Wording.moment(job.created))",
            "changed on \(Wording.moment(job.changed))", "step: \(job.step)",
            "attempts: \(job.attempts)",
        ]
        if let devices = job.devices { lines.append("devices: \(devices)") }
        if let reason = job.reason { lines.append("because \(reason.printable)") }
        if let fix = job.fix { lines.append("fix: \(fix.printable)") }
        return lines.joined(separator: "\n")
    }
}

struct JobsRetry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Try a waiting, failed or cancelled job again now.",
        discussion: """
            A running server starts it within seconds, with the full number of attempts; on a store without \
            a running server, it waits until one is started.
            Example:
              ota jobs retry 20261123-172541-3fa9c2d4
            """,
    )

    @OptionGroup var named: NamedJob

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let target = try named.target.open(in: context)
        let document = try await target.perform(RetryJob(named.job))
        let when =
            switch target {
            case .server: "will run now"
            // It is unknown here whether a server has the store.
            case .store: "is due: the server runs it within seconds, or once it is started"
            }
        try named.show(document, "The job to \(document.job.title) \(when).", in: context)
    }
}

struct JobsCancel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancel a job; a running one stops before its next step.",
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
            : "The job to \(job.title) will stop before its next step."
        try named.show(document, sentence, in: context)
    }
}

extension NamedJob {
    /// Shows the result of a command on the job.
    fileprivate func show(
        _ document: JobDocument,
        _ sentence: String,
        in context: CommandContext,
    ) throws {
        try context.show(
            JobResult(document: document, sentence: sentence),
            json: output.json,
        )
    }
}

private struct JobResult: CommandResult {
    let document: JobDocument
    let sentence: String

    func text(style: Style) -> String { sentence.printable }
}
