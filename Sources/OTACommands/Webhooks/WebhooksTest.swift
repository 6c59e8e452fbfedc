import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Notices
import Releases
import Store

struct WebhooksTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Send a test to a webhook; exit with 1 if it is not delivered.",
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
