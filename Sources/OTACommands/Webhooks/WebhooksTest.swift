import Administration
import ArgumentParser
import Foundation
import Notices
import Store

struct WebhooksTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Send a test to a webhook now; exits 1 when it does not arrive.",
        discussion: """
            Example:
              ota webhooks test 1f0a9c3e
            """,
    )

    @Argument(help: "The webhook's identifier.")
    var webhook: String

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let store = try storeOptions.open(in: context)
        let record = try await Administrator(of: store, named: context.actor, clock: context.now)
            .testWebhook(webhook, by: Courier(clock: context.now))
        let result = TriedWebhook(document: TriedWebhook.Document(record))
        try context.show(result, json: output.json)
        if record.outcome != .delivered { throw ExitCode(1) }
    }
}

private struct TriedWebhook: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let delivery: DeliveryDocument

        init(_ record: DeliveryRecord) {
            delivery = DeliveryDocument(record)
        }
    }

    let document: Document

    func text(style: Style) -> String {
        let delivery = document.delivery
        return delivery.outcome == .delivered
            ? style.good("The test arrived") + " (status \(delivery.status ?? 0))."
            : style.bad("The test did not arrive") + ": \((delivery.reason ?? "").printable)."
    }
}
