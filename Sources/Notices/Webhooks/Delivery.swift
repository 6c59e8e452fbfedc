import Bytes
package import Foundation
package import Releases

/// The delivery of one notice to one webhook.
package struct Delivery: Codable, Sendable, Equatable {
    /// 32 hexadecimal digits; the same at every attempt, so that a receiver can drop duplicates.
    package let identifier: String
    package let webhook: String
    package let notice: Notice
    package let queued: Date
    /// The number of attempts that were begun.
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

    /// The delivery with one more attempt.
    var begun: Delivery {
        var delivery = self
        delivery.attempts += 1
        return delivery
    }

    /// Whether an attempt may be made at `date`.
    ///
    /// A clock that was set back must not delay it for longer than any pause lasts. The first attempt is
    /// always due, even if the server that queued it had a different clock and has ended.
    func isDue(at date: Date, policy: DeliveryPolicy) -> Bool {
        attempts == 0 || next <= date || next > date.addingTimeInterval(policy.longestPause)
    }
}

/// The result of a delivery that is over.
package struct DeliveryRecord: Codable, Sendable, Equatable {
    package typealias Outcome = DeliveryOutcome

    package let delivery: String
    package let webhook: String
    package let event: NoticeEvent
    package let title: String
    /// The time of the last attempt.
    package let date: Date
    package let attempts: Int
    package let outcome: Outcome
    /// The receiver's status code; nil if it did not answer.
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
    /// The receiver's status code; nil if it did not answer.
    package var status: Int?
    /// Why the attempt failed, in one line.
    package var reason: String?
    /// Whether another attempt would fail too.
    package var isHopeless = false
    /// Seconds after which the receiver asks for another attempt.
    package var retryAfter: TimeInterval?

    package var isDelivered: Bool { status.map { (200..<300).contains($0) } ?? false }
}

/// Since when all deliveries to a webhook have failed, and why.
package struct WebhookFailure: Codable, Sendable, Equatable {
    /// When the first attempt failed after the last successful one.
    package let since: Date
    /// When the last attempt failed.
    package internal(set) var last: Date
    /// The receiver's status code at the last attempt; nil if it did not answer.
    package internal(set) var status: Int?
    package internal(set) var reason: String

    /// `HTTP 500`, or why there was no answer.
    package var cause: String { status.map { "HTTP \($0)" } ?? reason }
}

/// How often and how long a delivery is attempted.
package struct DeliveryPolicy: Sendable {
    /// Seconds after each failed attempt until the next; there is one more attempt than pauses.
    package var pauses: [TimeInterval] = [10, 60, 300, 1800, 7200, 21_600]
    /// The time limit until the response's head has arrived, from the first step on.
    package var timeout: Duration = .seconds(10)
    package var connectTimeout: Duration = .seconds(5)
    /// The time limit of a whole e-mail, from the first step on; mail servers delay unknown senders.
    package var mailTimeout: Duration = .seconds(45)
    /// Seconds after the time limits at which no process can still be making the attempt.
    package var grace: TimeInterval = 10
    /// The number of concurrent attempts, each to a different webhook.
    package var attemptsAtOnce = 16

    package init() {}

    package var mostAttempts: Int { pauses.count + 1 }

    /// The longest pause in seconds, even if a receiver asks for more.
    var longestPause: TimeInterval { max(pauses.max() ?? 0, 60) * 1.25 }

    /// Seconds to wait after the attempt with this number, randomly up to a fifth shorter or longer, so
    /// that receivers that are available again do not get all requests at once.
    func pause(after attempt: Int, random: (Int) -> [UInt8]) -> TimeInterval {
        let base = pauses.isEmpty ? 0 : pauses[min(attempt, pauses.count) - 1]
        let part = TimeInterval(random(1).first ?? 128) / 255
        return base * (0.8 + 0.4 * part)
    }
}
