import Bytes
package import Foundation
package import Releases

/// One notice on its way to one webhook.
package struct Delivery: Codable, Sendable, Equatable {
    /// 32 hexadecimal digits; the same at every attempt, so that a receiver can drop repeats.
    package let identifier: String
    package let webhook: String
    package let notice: Notice
    package let queued: Date
    /// Attempts that were begun.
    package internal(set) var attempts = 0
    /// When the next attempt may be made.
    package internal(set) var next: Date
    /// Why the last attempt failed.
    package internal(set) var failure: String?

    init(of notice: Notice, to webhook: Webhook, at date: Date, random: (Int) -> [UInt8]) {
        identifier = Hex.encode(random(16))
        self.webhook = webhook.identifier
        self.notice = notice
        queued = date
        next = date
    }

    /// The same with one more attempt.
    var begun: Delivery {
        var delivery = self
        delivery.attempts += 1
        return delivery
    }

    /// A clock that was set back must not keep it waiting for longer than any pause lasts, nor one that
    /// differs from that of the server which queued it, and has ended, keep it from its first attempt.
    func isDue(at date: Date, policy: DeliveryPolicy) -> Bool {
        attempts == 0 || next <= date || next > date.addingTimeInterval(policy.longestPause)
    }
}

/// How a delivery ended.
package struct DeliveryRecord: Codable, Sendable, Equatable {
    package typealias Outcome = DeliveryOutcome

    package let delivery: String
    package let webhook: String
    package let event: NoticeEvent
    package let title: String
    /// Of the last attempt.
    package let date: Date
    package let attempts: Int
    package let outcome: Outcome
    /// What the receiver answered; nil where it did not.
    package let status: Int?
    package let reason: String?

    init(_ delivery: Delivery, _ attempt: DeliveryAttempt, attempts: Int) {
        self.delivery = delivery.identifier
        webhook = delivery.webhook
        event = delivery.notice.event
        title = delivery.notice.title
        date = attempt.date
        self.attempts = attempts
        outcome = attempt.isDelivered ? .delivered : .failed
        status = attempt.status
        reason = attempt.reason
    }

    init(_ delivery: Delivery, dropped date: Date) {
        self.delivery = delivery.identifier
        webhook = delivery.webhook
        event = delivery.notice.event
        title = delivery.notice.title
        self.date = date
        attempts = delivery.attempts
        outcome = .dropped
        status = nil
        reason = delivery.failure ?? "more than \(Outbox.longestQueue.grouped) messages were queued"
    }
}

/// The result of one attempt.
package struct DeliveryAttempt: Sendable, Equatable {
    package let date: Date
    /// What the receiver answered; nil where it did not.
    package var status: Int?
    /// Why it failed, on one line.
    package var reason: String?
    /// Whether another attempt would end the same way.
    package var isHopeless = false
    /// Seconds after which the receiver wants to be asked again.
    package var retryAfter: TimeInterval?

    package var isDelivered: Bool { status.map { (200..<300).contains($0) } ?? false }
}

/// Since when a webhook takes nothing, and why.
package struct WebhookFailure: Codable, Sendable, Equatable {
    /// When the first attempt failed since one succeeded.
    package let since: Date
    /// When the last one did.
    package internal(set) var last: Date
    /// What the receiver answered to the last one; nil where it did not.
    package internal(set) var status: Int?
    package internal(set) var reason: String

    /// `HTTP 500`, or what kept the answer away.
    package var cause: String { status.map { "HTTP \($0)" } ?? reason }
}

/// How often and how long a delivery is tried.
package struct DeliveryPolicy: Sendable {
    /// Seconds after each failed attempt until the next; one more attempt than pauses.
    package var pauses: [TimeInterval] = [10, 60, 300, 1800, 7200, 21_600]
    /// For the answer's head, from the first step on.
    package var timeout: Duration = .seconds(10)
    package var connectTimeout: Duration = .seconds(5)
    /// For all of an e-mail, from the first step on; mail servers make strangers wait.
    package var mailTimeout: Duration = .seconds(45)
    /// Seconds beyond the timeouts after which no process can still be making the attempt.
    package var grace: TimeInterval = 10
    /// Attempts at once, to as many webhooks.
    package var attemptsAtOnce = 16

    package init() {}

    package var mostAttempts: Int { pauses.count + 1 }

    /// No pause is longer, what a receiver asks for included.
    var longestPause: TimeInterval { max(pauses.max() ?? 0, 60) * 1.25 }

    /// Seconds after the attempt of this number, a fifth shorter or longer so that receivers which
    /// came back are not all asked at once.
    func pause(after attempt: Int, random: (Int) -> [UInt8]) -> TimeInterval {
        let base = pauses.isEmpty ? 0 : pauses[min(attempt, pauses.count) - 1]
        let part = TimeInterval(random(1).first ?? 128) / 255
        return base * (0.8 + 0.4 * part)
    }
}
