import Bytes
package import Foundation
import Identifiers
import Releases

/// A sample of what a webhook would receive, shown before it is added.
package enum PayloadSample {
    /// Returns the body of a message about a fictitious release.
    ///
    /// - Parameters:
    ///   - kind: the format of the receiver.
    ///   - template: the admin's own body; only for the kind `custom`.
    ///   - date: the current time.
    /// - Returns: formatted JSON, or the text of an e-mail.
    /// - Throws: what the encoder throws.
    package static func text(
        for kind: Webhook.Kind,
        template: WebhookTemplate? = nil,
        at date: Date,
    ) throws -> String {
        let body = try WebhookPayload.body(
            of: Delivery(sampleOf: notice(at: date), at: date),
            for: kind,
            template: template,
        )
        guard kind != .email,
            let value = try? JSONSerialization.jsonObject(with: Data(body)),
            let lines = try? JSONSerialization.data(
                withJSONObject: value,
                options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes],
            )
        else { return String(decoding: body, as: UTF8.self) }
        return String(decoding: lines, as: UTF8.self)
    }

    /// Written like a real notice.
    private static func notice(at date: Date) -> Notice {
        let app = BundleIdentifier("com.example.app").flatMap { name in
            Slug("example").map {
                AppRecord(bundleIdentifier: name, title: "Example", slug: $0, created: date)
            }
        }
        let writer = NoticeWriter(
            apps: app.map { [$0.bundleIdentifier: $0] } ?? [:],
            links: nil,
            date: date,
            random: { count in (0..<count).map { UInt8(truncatingIfNeeded: $0) } },
        )
        var notice = writer.notice(
            .releasePublished,
            "Example 1.2.0 (34) was published on stable",
            "Ada published Example 1.2.0 (34) on the channel stable.",
            about: app.map { [$0.bundleIdentifier] } ?? [],
        )
        var build = Notice.Build(version: "1.2.0", build: "34", channel: "stable")
        build.tag = "v1.2.0"
        build.branch = "main"
        build.commit = "4f2a9c81d0be4f2a9c81d0be4f2a9c81d0be4f2a"
        build.run = "https://ci.example.com/run/42"
        notice.release = build
        notice.link = "https://ota.example.com/apps/example"
        return notice
    }
}

extension Delivery {
    /// Creates a delivery that is never sent.
    fileprivate init(sampleOf notice: Notice, at date: Date) {
        identifier = String(repeating: "0", count: 32)
        webhook = "00000000"
        self.notice = notice
        queued = date
        next = date
    }
}
