import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Notices
import Releases
import Store

struct WebhooksShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a webhook, its last deliveries and its queue.",
        discussion: """
            Example:
              ota webhooks show 1f0a9c3e
            """,
    )

    @OptionGroup var named: NamedWebhook

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await named.target.open(in: context).perform(ShowWebhook(named.webhook))
        try context.show(ShownWebhook(document: document), json: named.output.json)
    }
}

private struct ShownWebhook: CommandResult {
    let document: WebhookDetailDocument

    func text(style: Style) -> String {
        let webhook = document.webhook
        let apps = webhook.apps.isEmpty ? "all" : webhook.apps.joined(separator: ", ")
        let head = """
            \(style.strong(webhook.identifier)) \(webhook.kind.rawValue) \(webhook.url)
            events  \(webhook.events.map(\.rawValue).joined(separator: ", "))
            apps    \(apps)\(webhook.limitWords.map { "\nonly    " + $0.printable } ?? "")
            signed  \(webhook.signed ? "yes" : "no")
            status  \(status(style))
            added   \(Wording.day(webhook.created)) by \(webhook.createdBy.printable)
            """
        return ([head] + [log(style), queue(style)].compactMap(\.self)).joined(separator: "\n\n")
    }

    private func status(_ style: Style) -> String {
        let webhook = document.webhook
        let status = webhook.statusCell(style)
        return status.paint(status.text) + (webhook.advice.map { "\n        " + $0 } ?? "")
    }

    private func log(_ style: Style) -> String? {
        guard !document.deliveries.isEmpty else { return nil }
        var table = Table(["WHEN", "EVENT", "NOTICE", "ATTEMPTS", "OUTCOME"])
        for delivery in document.deliveries {
            table.add([
                Table.Cell(Wording.moment(delivery.date)),
                Table.Cell(delivery.event.rawValue),
                Table.Cell(delivery.title, paint: style.strong),
                Table.Cell("\(delivery.attempts)"),
                delivery.cell(style),
            ])
        }
        return table.text(style: style)
    }

    private func queue(_ style: Style) -> String? {
        guard !document.queue.isEmpty else { return nil }
        var table = Table(["NEXT ATTEMPT", "EVENT", "NOTICE", "ATTEMPTS", "LAST FAILURE"])
        for delivery in document.queue {
            table.add([
                Table.Cell(Wording.moment(delivery.next)),
                Table.Cell(delivery.event.rawValue),
                Table.Cell(delivery.title, paint: style.strong),
                Table.Cell("\(delivery.attempts)"),
                Table.Cell(delivery.reason ?? "–", paint: style.warning),
            ])
        }
        return table.text(style: style)
    }
}
