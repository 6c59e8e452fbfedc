import Administration
import ArgumentParser
import Notices
import Store

struct WebhooksRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Stop telling a webhook; what waits for it is dropped.",
        discussion: """
            Example:
              ota webhooks remove 1f0a9c3e
            """,
    )

    @Argument(help: "The webhook's identifier.")
    var webhook: String

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        let removed = try Administrator(of: store, named: context.actor, clock: context.now)
            .removeWebhook(webhook)
        let document = WebhookDocument(removed, Outbox())
        try context.show(RemovedWebhook(webhook: document), json: output.json)
    }
}

private struct RemovedWebhook: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let webhook: WebhookDocument
    }

    let webhook: WebhookDocument

    var document: Document { Document(webhook: webhook) }

    func text(style: Style) -> String {
        "Removed the webhook \(style.strong(webhook.identifier)) at \(webhook.url)."
    }
}
