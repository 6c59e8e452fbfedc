import Administration
import ArgumentParser
import Foundation
import Notices
import Store

struct WebhooksTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Send a test to a webhook; exits with 1 if it is not delivered.",
        discussion: """
            Example:
              ota webhooks test 1f0a9c3e
            """,
    )

    @Argument(help: "The webhook's identifier.")
    var webhook: String

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context).testWebhook(webhook)
        let result = TriedWebhook(document: document)
        try context.show(result, json: output.json)
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
