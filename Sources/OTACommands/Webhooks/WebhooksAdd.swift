import APIDocuments
import Administration
import ArgumentParser
import Bytes
import Foundation
import Identifiers
import Notices
import Releases
import Store

struct WebhooksAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a webhook; its signing secret is shown once.",
        discussion: """
            `ota serve` sends the messages. Private addresses and plain HTTP need the options below.
            Example:
              ota webhooks add https://ci.example.com/ota --kind json
              cat slack-url | ota webhooks add - --kind slack --events expiring --app pare
              cat teams-url | ota webhooks add - --kind teams --events release.published
              ota webhooks add ana@example.com --kind email --events expiring
              cat dingtalk-url | ota webhooks add - --kind custom --body-file body.json
            """,
    )

    @Argument(help: "The URL, or - to read it from standard input, hidden from other users.")
    var url: String

    @Option(
        help: """
            json (signed), slack ({"text": …}), teams (Microsoft Teams), discord, custom (with \
            --body-file), or email.
            """
    )
    var kind: Webhook.Kind

    @Option(
        help: ArgumentHelp(
            "The events to send, separated by commas; default: all. Events: "
                + NoticeEvent.subjects.map(\.rawValue).joined(separator: ", ") + ".",
            valueName: "events",
        )
    )
    var events: [EventList] = []

    @Option(help: "Send only events about this app, by bundle identifier or slug. May be repeated.")
    var app: [String] = []

    @Option(
        name: .customLong("channel"),
        help: "Send only events about builds on this channel. May be repeated.",
    )
    var channels: [ChannelName] = []

    @Option(help: "Send only events about builds that these groups can see, such as qa,beta.")
    var groups: GroupNames?

    @Option(
        help: ArgumentHelp(
            """
            Sign with the secret in this file, or - for standard input, instead of a new one.
            """,
            valueName: "file",
        )
    )
    var secretFile: String?

    @Option(
        help: ArgumentHelp(
            """
            For --kind custom: a file with the JSON to send. In its strings, placeholders such as \
            {{title}}, {{message}} and {{link}} are replaced.
            """,
            valueName: "file",
        )
    )
    var bodyFile: String?

    @Flag(help: "Allow a private address: this machine or a local network.")
    var allowPrivate = false

    @Flag(name: .customLong("allow-http"), help: "Allow a URL without TLS.")
    var allowHTTP = false

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard [url, secretFile, bodyFile].count(where: { $0 == "-" }) < 2 else {
            throw ValidationError(
                "only one value can come from standard input: the URL or one of the files"
            )
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        var new = NewWebhook(
            url: url == "-" ? try Self.line(of: "-") : url,
            kind: kind,
        )
        if !events.isEmpty { new.events = events.flatMap(\.events) }
        if !app.isEmpty { new.apps = app }
        if !channels.isEmpty { new.channels = channels }
        new.groups = groups
        new.secret = try secretFile.map(Self.line)
        new.body = try bodyFile.map { path in
            // Larger than the limit, so that the refusal can say by how much it is exceeded.
            try TextInput.read(path, limit: 64 << 10)
        }
        new.allowPrivate = allowPrivate
        new.allowHTTP = allowHTTP
        let document = try await target.open(in: context, creates: true).perform(AddWebhook(new))
        let result = AddedWebhook(document: document)
        try context.show(result, json: output.json)
    }

    /// The first line of a small file.
    private static func line(of path: String) throws -> String {
        let text = try TextInput.read(path, limit: 4096)
        return String(text.prefix { !$0.isNewline })
    }
}

/// Events separated by commas.
struct EventList: TypedValue {
    let events: [NoticeEvent]

    init(typed text: String) throws {
        let names = text.split(separator: ",", omittingEmptySubsequences: false)
        events = names.compactMap { NoticeEvent(rawValue: String($0)) }.filter { $0 != .test }
        guard !events.isEmpty, events.count == names.count else {
            throw WrongText(wanted: NoticeEvent.kindOfText + ", or several separated by commas")
        }
    }
}

extension Webhook.Kind: ExpressibleByArgument {}

private struct AddedWebhook: CommandResult {
    let document: AddedWebhookDocument

    func text(style: Style) -> String {
        let webhook = document.webhook
        var text = "Added the webhook \(style.strong(webhook.identifier)) at \(webhook.url)."
        if let secret = document.secret {
            text += "\nIts secret, which is shown only once:\n\n  \(secret)\n"
        }
        return text + "\nTest it with: ota webhooks test \(webhook.identifier)"
    }
}
