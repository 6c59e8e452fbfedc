import APIDocuments
import Administration
import Notices
import Releases

/// A button in the row of a webhook, which posts to `/notices/{webhook}/verb`.
struct WebhookButton: Sendable {
    let verb: String
    let title: String
    /// The title with the webhook's URL, for screen readers.
    let label: @Sendable (String) -> String
    /// The text that the admin has to confirm; nil if nothing is lost.
    var confirmation: String?
    var isBad = false
    /// Whether it can be pressed now.
    var isOffered: @Sendable (WebhookEntry) -> Bool = { _ in true }
    /// Performs the action.
    ///
    /// - Returns: a sentence that says what was done.
    let press: @Sendable (AdminRequest, String) throws -> String

    static let all: [WebhookButton] = [
        WebhookButton(
            verb: "retry",
            title: "Retry now",
            label: { "Retry \($0) now" },
            isOffered: { $0.status != .paused && $0.waiting > 0 },
        ) { visit, webhook in
            let document = try visit.perform(RetryWebhook(webhook))
            let url = document.webhook.url
            return document.retried == 0
                ? "Nothing is queued for \(url)."
                : "Sending \(Wording.count(document.retried, "queued message")) to \(url) now."
        },
        WebhookButton(
            verb: "test",
            title: "Send test",
            label: { "Send a test to \($0)" },
            isOffered: { $0.status != .paused },
        ) { visit, webhook in
            let receiver = try visit.administrator.queueTest(to: webhook)
            return "Sending a test to \(receiver.url.shown) now."
        },
        WebhookButton(
            verb: "pause",
            title: "Pause",
            label: { "Pause \($0)" },
            confirmation: "Nothing is sent until you resume it. Events during the pause are "
                + "not sent later; messages that are already queued are.",
            isOffered: { $0.status != .paused },
        ) { visit, webhook in
            let paused = try visit.perform(PauseWebhook(webhook)).webhook
            return "Webhook \(paused.url) paused. Events are not sent to it until it is resumed."
        },
        WebhookButton(
            verb: "resume",
            title: "Resume",
            label: { "Resume \($0)" },
            isOffered: { $0.status == .paused },
        ) { visit, webhook in
            "Webhook \(try visit.perform(ResumeWebhook(webhook)).webhook.url) resumed."
        },
        WebhookButton(
            verb: "remove",
            title: "Remove",
            label: { "Remove \($0)" },
            confirmation: "It receives no further messages, and its queued messages are dropped.",
            isBad: true,
        ) { visit, webhook in
            let removed = try visit.perform(RemoveWebhook(webhook)).webhook
            return "Webhook \(removed.url) removed. Its queued messages were dropped."
        },
    ]
}
