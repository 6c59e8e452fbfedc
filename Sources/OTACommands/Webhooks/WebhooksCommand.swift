import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Notices
import Releases
import Store

struct WebhooksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhooks",
        abstract: "Notify other services of releases, devices and expirations.",
        discussion: """
            Example:
              ota webhooks add https://ci.example.com/ota --kind json
              ota webhooks list
            """,
        subcommands: [
            WebhooksAdd.self, WebhooksList.self, WebhooksShow.self, WebhooksTest.self,
            WebhooksRetry.self, WebhooksPause.self, WebhooksResume.self, WebhooksRemove.self,
        ],
    )
}

/// The argument and options of every command on one webhook.
struct NamedWebhook: ParsableArguments {
    @Argument(help: "The webhook's identifier.")
    var webhook: String

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions
}

struct WebhooksTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Send a test message to a webhook; exit with 1 if it is not delivered.",
        discussion: """
            Example:
              ota webhooks test 1f0a9c3e
            """,
    )

    @OptionGroup var named: NamedWebhook

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await named.target.open(in: context).perform(TestWebhook(named.webhook))
        let result = TriedWebhook(document: document)
        try context.show(result, json: named.output.json)
        if document.delivery.outcome != .delivered { throw ExitCode(1) }
    }
}

private struct TriedWebhook: CommandResult {
    let document: TriedWebhookDocument

    func text(style: Style) -> String {
        let delivery = document.delivery
        return delivery.outcome == .delivered
            ? style.good("The test was delivered") + " (status \(delivery.status ?? 0))."
            : style.bad("The test was not delivered") + ": \((delivery.reason ?? "").printable)."
    }
}

struct WebhooksRetry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Send the queued messages of a webhook now.",
        discussion: """
            A running server sends them within seconds. Each message gets all of its attempts again.
            Example:
              ota webhooks retry 1f0a9c3e
            """,
    )

    @OptionGroup var named: NamedWebhook

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await named.target.open(in: context).perform(RetryWebhook(named.webhook))
        try context.show(RetriedWebhook(document: document), json: named.output.json)
    }
}

private struct RetriedWebhook: CommandResult {
    let document: RetriedWebhookDocument

    func text(style: Style) -> String {
        let webhook = document.webhook
        guard document.retried > 0 else {
            return "No messages are queued for the webhook \(style.strong(webhook.identifier))."
        }
        return "\(Wording.count(document.retried, "message")) to \(webhook.url) will be sent now. "
            + "Check with: ota webhooks show \(webhook.identifier)"
    }
}

struct WebhooksPause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Pause a webhook; events during the pause are not sent later.",
        discussion: """
            The webhook keeps its secret and its deliveries. Messages that are already queued are sent \
            after `ota webhooks resume`. While the webhook is paused, `test` and `retry` are refused.
            Example:
              ota webhooks pause 1f0a9c3e
            """,
    )

    @OptionGroup var named: NamedWebhook

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await named.target.open(in: context).perform(PauseWebhook(named.webhook))
        try context.show(PausedWebhook(document: document), json: named.output.json)
    }
}

struct WebhooksResume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Resume a paused webhook, beginning with its queued messages.",
        discussion: """
            Example:
              ota webhooks resume 1f0a9c3e
            """,
    )

    @OptionGroup var named: NamedWebhook

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await named.target.open(in: context).perform(
            ResumeWebhook(named.webhook)
        )
        try context.show(PausedWebhook(document: document), json: named.output.json)
    }
}

/// Says what `pause` or `resume` changed about a webhook.
private struct PausedWebhook: CommandResult {
    let document: PausedWebhookDocument

    func text(style: Style) -> String {
        let webhook = document.webhook
        let name = "webhook \(style.strong(webhook.identifier))"
        switch (webhook.paused, document.changed) {
        case (.some, true):
            return "Paused the \(name) at \(webhook.url). Events during the pause are not sent "
                + "later\(queue(kept: true)).\n"
                + "Resume it with: ota webhooks resume \(webhook.identifier)"
        case (.some(let date), false):
            return "The \(name) is already paused, since \(Wording.moment(date))."
        case (nil, true):
            return "Resumed the \(name) at \(webhook.url)\(queue(kept: false))."
        case (nil, false):
            return "The \(name) is not paused."
        }
    }

    /// `; 2 queued messages are kept`; empty if none are queued.
    private func queue(kept isKept: Bool) -> String {
        let count = document.webhook.waiting
        guard count > 0 else { return "" }
        let messages = Wording.count(count, "queued message")
        let verb = count == 1 ? "is" : "are"
        return "; \(messages) \(verb) " + (isKept ? "kept" : "being sent")
    }
}

struct WebhooksRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a webhook; its queued messages are dropped.",
        discussion: """
            Example:
              ota webhooks remove 1f0a9c3e
            """,
    )

    @OptionGroup var named: NamedWebhook

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await named.target.open(in: context).perform(
            RemoveWebhook(named.webhook)
        )
        try context.show(RemovedWebhook(document: document), json: named.output.json)
    }
}

private struct RemovedWebhook: CommandResult {
    let document: RemovedWebhookDocument

    func text(style: Style) -> String {
        "Removed the webhook \(style.strong(document.webhook.identifier)) at "
            + "\(document.webhook.url)."
    }
}
