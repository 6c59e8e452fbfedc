import Bytes
import Cryptography
import Foundation
import Releases

/// The body of one delivery.
package enum WebhookPayload {
    /// Returns the documented JSON, or a chat's format; the same bytes at every attempt.
    ///
    /// - Parameters:
    ///   - delivery: the delivery.
    ///   - kind: the format of the receiver.
    ///   - template: the admin's own body; nil for every kind but `custom`.
    /// - Returns: JSON, or the text of an e-mail.
    /// - Throws: what the encoder throws.
    package static func body(
        of delivery: Delivery,
        for kind: Webhook.Kind,
        template: WebhookTemplate? = nil,
    ) throws -> [UInt8] {
        switch kind {
        case .custom: template?.body(of: delivery.notice) ?? []
        case .json: try encode(Document(delivery))
        case .slack: try encode(SlackMessage(text: SlackText.text(of: delivery.notice)))
        case .teams: try encode(TeamsCard(of: delivery.notice))
        case .email: Array(MailMessage.text(of: delivery.notice).utf8)
        case .discord: try encode(DiscordEmbed(of: delivery.notice))
        }
    }

    /// The value of `X-Ota-Signature`: an HMAC-SHA256 of `timestamp.body`, keyed with the secret's bytes.
    package static func signature(
        of body: [UInt8],
        timestamp: String,
        secret: WebhookSecret,
    ) -> String {
        let code = authenticationCode(
            of: Array(timestamp.utf8) + [UInt8(ascii: ".")] + body,
            key: Array(secret.text.utf8),
        )
        return "sha256=" + Hex.encode(code)
    }

    private static func encode(_ document: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return Array(try encoder.encode(document))
    }

    /// Keys that do not apply are omitted; more keys may be added in future.
    private struct Document: Encodable {
        let schema = 1
        let delivery: String
        let notice: String
        let event: NoticeEvent
        let date: Date
        let title: String
        let message: String
        let link: String?
        let apps: [Notice.App]
        let release: Notice.Build?
        let expiring: [Notice.Ending]?
        let threshold: Int?
        let device: String?
        let devices: Int?
        let slots: Notice.Slots?
        let failedBuild: FailedBuild?
        let damage: [Notice.Damage]?
        let removed: RemovedReleases?
        let feedback: Notice.Said?

        init(_ delivery: Delivery) {
            let notice = delivery.notice
            self.delivery = delivery.identifier
            self.notice = notice.identifier
            event = notice.event
            date = notice.date
            title = notice.title
            message = notice.message
            link = notice.link
            apps = notice.apps
            release = notice.release
            expiring = notice.ending
            threshold = notice.threshold
            device = notice.device
            devices = notice.deviceCount
            slots = notice.slots
            failedBuild = notice.failedBuild
            damage = notice.damage
            removed = notice.removed
            feedback = notice.feedback
        }
    }

    private struct SlackMessage: Encodable {
        let text: String
    }
}
