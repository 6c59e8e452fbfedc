import Administration
import ArgumentParser
import Foundation
import Notices
import Releases
import Store

struct WebhooksList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the webhooks, and how their last delivery went.",
        discussion: """
            Example:
              ota webhooks list --json
            """,
    )

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context).webhooks()
        try context.show(WebhookTable(document: document), json: output.json)
    }
}

private struct WebhookTable: CommandResult {
    let document: WebhooksDocument

    func text(style: Style) -> String {
        guard !document.webhooks.isEmpty else {
            return "No webhooks: ota webhooks add https://ci.example.com/ota --kind json"
        }
        var table = Table(["IDENTIFIER", "KIND", "URL", "TOLD", "APPS", "WAITING", "LAST"])
        for webhook in document.webhooks {
            let isTold = webhook.events == NoticeEvent.subjects
            table.add([
                Table.Cell(webhook.identifier, paint: style.strong),
                Table.Cell(webhook.kind.rawValue),
                Table.Cell(webhook.url),
                Table.Cell(
                    isTold ? "everything" : webhook.events.map(\.rawValue).joined(separator: " ")
                ),
                Table.Cell(webhook.apps.isEmpty ? "all" : webhook.apps.joined(separator: " ")),
                Table.Cell("\(webhook.waiting)"),
                webhook.last.map { $0.cell(style, dated: true) } ?? Table.Cell("–"),
            ])
        }
        return table.text(style: style)
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
