import ArgumentParser

struct WebhooksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhooks",
        abstract: "Notify other services of releases, devices and expirations.",
        discussion: """
            Example:
              ota webhooks add https://ci.example.com/ota --kind json
              ota webhooks list
            """,
        subcommands: [
            WebhooksAdd.self, WebhooksList.self, WebhooksShow.self, WebhooksTest.self,
            WebhooksRetry.self, WebhooksPause.self, WebhooksResume.self, WebhooksRemove.self,
        ],
    )
}
