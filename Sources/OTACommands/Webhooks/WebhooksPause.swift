import APIDocuments
import Administration
import ArgumentParser
import Notices
import Releases
import Store

struct WebhooksPause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Pause a webhook; events during the pause are not sent later.",
        discussion: """
            The webhook keeps its secret and its deliveries. Messages that are queued already are \
            sent after `ota webhooks resume`. While it is paused, `test` and `retry` are refused.
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

/// Says of a webhook what `pause` or `resume` changed.
private struct PausedWebhook: CommandResult {
    let document: PausedWebhookDocument

    func text(style: Style) -> String {
        let webhook = document.webhook
        let name = "webhook \(style.strong(webhook.identifier))"
        switch (webhook.paused, document.changed) {
        case (.some, true):
            return "Paused the \(name) at \(webhook.url). Events are not sent to it until it is "
                + "resumed, nor afterwards\(queue(kept: true)).\n"
                + "Resume it with: ota webhooks resume \(webhook.identifier)"
        case (.some(let date), false):
            return "The \(name) is already paused, since \(Wording.moment(date))."
        case (nil, true):
            return "Resumed the \(name) at \(webhook.url)\(queue(kept: false))."
        case (nil, false):
            return "The \(name) is not paused."
        }
    }

    /// `; 2 queued messages are kept`, or nothing where none is queued.
    private func queue(kept isKept: Bool) -> String {
        let count = document.webhook.waiting
        guard count > 0 else { return "" }
        let messages = Wording.count(count, "queued message")
        let verb = count == 1 ? "is" : "are"
        return "; \(messages) \(verb) " + (isKept ? "kept" : "being sent")
    }
}
