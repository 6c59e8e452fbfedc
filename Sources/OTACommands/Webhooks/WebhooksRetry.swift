import APIDocuments
import Administration
import ArgumentParser
import Notices
import Releases
import Store

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
