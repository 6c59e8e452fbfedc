import APIDocuments
import Administration
import ArgumentParser
import Bytes
import Foundation
import Notices
import Releases
import Store

struct WebhooksList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the webhooks with their status and queue.",
        discussion: """
            Example:
              ota webhooks list --json
            """,
    )

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context).perform(ListWebhooks())
        try context.show(WebhookTable(document: document), json: output.json)
    }
}

private struct WebhookTable: CommandResult {
    let document: WebhooksDocument

    func text(style: Style) -> String {
        guard !document.webhooks.isEmpty else {
            return "No webhooks: ota webhooks add https://ci.example.com/ota --kind json"
        }
        var table = Table([
            "IDENTIFIER", "KIND", "URL", "EVENTS", "APPS", "STATUS", "WAITING", "LAST",
        ])
        for webhook in document.webhooks {
            let hasAll = webhook.events == NoticeEvent.subjects
            table.add([
                Table.Cell(webhook.identifier, paint: style.strong),
                Table.Cell(webhook.kind.rawValue),
                Table.Cell(webhook.url),
                Table.Cell(
                    hasAll ? "all" : webhook.events.map(\.rawValue).joined(separator: " ")
                ),
                Table.Cell(webhook.apps.isEmpty ? "all" : webhook.apps.joined(separator: " ")),
                webhook.statusCell(style),
                Table.Cell(webhook.waitingText),
                webhook.last.map { $0.cell(style, dated: true) } ?? Table.Cell("–"),
            ])
        }
        return table.text(style: style)
    }
}

extension WebhookEntry {
    /// `failing since 21 November 2026, 21:35 UTC: HTTP 500`, in the colour of the status.
    func statusCell(_ style: Style) -> Table.Cell {
        let text = statusWords.joined(separator: ": ")
        return switch trouble {
        case .bad: Table.Cell(text, paint: style.bad)
        case .warning: Table.Cell(text, paint: style.warning)
        case nil where status == .working: Table.Cell(text, paint: style.good)
        case nil: Table.Cell(text)
        }
    }

    /// `14, next 21 November 2026, 21:41 UTC`.
    var waitingText: String {
        guard waiting > 0, let next else { return waiting.grouped }
        return "\(waiting), next \(Wording.moment(next))"
    }
}

extension DeliveryDocument {
    /// `delivered (200)`, `failed: no answer within 10 seconds`.
    func sentence() -> String {
        let answer = status.map { " (\($0))" } ?? ""
        return outcome.rawValue + answer + (reason.map { ": \($0)" } ?? "")
    }

    func cell(_ style: Style, dated isDated: Bool = false) -> Table.Cell {
        let text = isDated ? "\(sentence()), \(Wording.day(date))" : sentence()
        return outcome == .delivered
            ? Table.Cell(text, paint: style.good) : Table.Cell(text, paint: style.bad)
    }
}
