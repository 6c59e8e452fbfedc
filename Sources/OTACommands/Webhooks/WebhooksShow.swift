import Administration
import ArgumentParser
import Foundation
import Notices
import Releases
import Store

struct WebhooksShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a webhook, its last deliveries and what waits for it.",
        discussion: """
            Example:
              ota webhooks show 1f0a9c3e
            """,
    )

    @Argument(help: "The webhook's identifier.")
    var webhook: String

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        let detail = try Administrator(of: store, named: context.actor, clock: context.now).webhook(
            webhook
        )
        try context.show(ShownWebhook(detail: detail), json: output.json)
    }
}

private struct ShownWebhook: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let webhook: WebhookDocument
        let deliveries: [DeliveryDocument]
        let queue: [WaitingDocument]
    }

    let detail: WebhookDetailDocument

    var document: Document {
        Document(webhook: detail.webhook, deliveries: detail.deliveries, queue: detail.queue)
    }

    func text(style: Style) -> String {
        let webhook = detail.webhook
        let apps = webhook.apps.isEmpty ? "all" : webhook.apps.joined(separator: ", ")
        let head = """
            \(style.strong(webhook.identifier)) \(webhook.kind.rawValue) \(webhook.url)
            told    \(webhook.events.map(\.rawValue).joined(separator: ", "))
            apps    \(apps)
            signed  \(webhook.signed ? "yes" : "no")
            added   \(Wording.day(webhook.created)) by \(webhook.createdBy.printable)
            """
        return ([head] + [log(style), queue(style)].compactMap(\.self)).joined(separator: "\n\n")
    }

    private func log(_ style: Style) -> String? {
        guard !detail.deliveries.isEmpty else { return nil }
        var table = Table(["WHEN", "EVENT", "NOTICE", "ATTEMPTS", "OUTCOME"])
        for delivery in detail.deliveries {
            table.add([
                Table.Cell(delivery.date.formatted(.iso8601)),
                Table.Cell(delivery.event.rawValue),
                Table.Cell(delivery.title, paint: style.strong),
                Table.Cell("\(delivery.attempts)"),
                delivery.cell(style),
            ])
        }
        return table.text(style: style)
    }

    private func queue(_ style: Style) -> String? {
        guard !detail.queue.isEmpty else { return nil }
        var table = Table(["NEXT ATTEMPT", "EVENT", "NOTICE", "ATTEMPTS", "LAST FAILURE"])
        for delivery in detail.queue {
            table.add([
                Table.Cell(delivery.next.formatted(.iso8601)),
                Table.Cell(delivery.event.rawValue),
                Table.Cell(delivery.title, paint: style.strong),
                Table.Cell("\(delivery.attempts)"),
                Table.Cell(delivery.reason ?? "–", paint: style.warning),
            ])
        }
        return table.text(style: style)
    }
}
