import APIDocuments
import Administration
import ArgumentParser
import Notices
import Store

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
