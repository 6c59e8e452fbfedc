import APIDocuments
import Access
import Administration
import Bundles
import Bytes
import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import Identifiers
import Notices
import Pages
import Problems
import Releases
import SiteServices
import Store

/// The page of webhooks, and its forms.
struct AdminNotices: Sendable {
    /// The most deliveries shown of each webhook.
    private static let shown = 5

    let gate: AdminGate

    /// The routes of the page and its forms, relative to `/admin`.
    var table: AdminRoutes.Table {
        [Route("/notices", [.get: page, .post: add])]
            + WebhookButton.all.map { button in
                Route("/notices/{webhook}/\(button.verb)", [.post: press(button)])
            }
    }

    /// Answers `GET /admin/notices?made=`.
    @Sendable func page(_ request: Request, _ context: RouteContext) async throws -> Response {
        let identifier = request.uri.queryParameters["made"].map { String($0) }
        return try await gate.page(request, context, in: .notices) { visit in
            try Self.page(
                visit,
                form: Self.form(NewWebhook(url: "", kind: .slack), visit),
                made: identifier.flatMap { try Self.made($0, visit) },
            )
        }
    }

    /// Returns the webhook that was just added, with its signing key only the first time.
    private static func made(
        _ identifier: String,
        _ visit: AdminRequest,
    ) throws -> NoticesPage.Made? {
        guard let webhook = try visit.store.webhooks()[identifier], webhook.secret != nil else {
            return nil
        }
        let kept = visit.services.secrets.take(identifier, for: visit.session, at: visit.now)
        guard case .webhook(let secret)? = kept else {
            return NoticesPage.Made(name: webhook.url.shown, secret: nil)
        }
        return NoticesPage.Made(name: webhook.url.shown, secret: secret)
    }

    /// Answers `POST /admin/notices`; the next page shows the signing key, once.
    @Sendable func add(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.action(request, context, in: .notices) { visit, form in
            guard let kind = Webhook.Kind(rawValue: form["kind"] ?? "") else {
                throw Problem(form: "kind", "choose a format")
            }
            var new = NewWebhook(url: form["url"] ?? "", kind: kind)
            let chosen = NoticeEvent.subjects.filter { form[Self.field($0)] != nil }
            new.events = chosen.count == NoticeEvent.subjects.count ? nil : chosen
            new.apps = form["app"].flatMap { $0.isEmpty ? nil : [$0] }
            new.body = form["body"].flatMap { $0.isEmpty ? nil : $0 }
            do {
                try Self.limit(&new, by: form)
                if form["do"] == "preview" {
                    return .again(
                        try Self.page(visit, form: Self.preview(new, visit)),
                        .ok,
                    )
                }
                let added = try visit.perform(AddWebhook(new))
                guard let secret = added.secret else {
                    return .done(
                        "Webhook \(added.webhook.url) added.",
                        goingTo: visit.links.notices,
                    )
                }
                visit.services.secrets.keep(
                    .webhook(secret),
                    as: added.webhook.identifier,
                    for: visit.session,
                    at: visit.now,
                )
                return .elsewhere(visit.links.notices + "?made=\(added.webhook.identifier)")
            } catch {
                guard let problem = Problem(ofForm: error) else { throw error }
                var again = try Self.form(new, visit)
                again.channels = form["channels"] ?? ""
                again.groups = form["groups"] ?? ""
                again.problem = PageProblem(problem)
                return .again(try Self.page(visit, form: again), problem.kind.status)
            }
        }
    }

    /// Answers the `POST` of a button.
    private func press(_ button: WebhookButton) -> RouteHandler {
        { request, context in
            let identifier = try context.text("webhook")
            return try await gate.action(request, context, in: .notices) { visit, _ in
                guard try visit.store.webhooks()[identifier] != nil else { throw Refusal.notFound }
                return .done(try button.press(visit, identifier), goingTo: visit.links.notices)
            }
        }
    }

    private static func page(
        _ visit: AdminRequest,
        form: NoticesPage.Form,
        made: NoticesPage.Made? = nil,
    ) throws -> NoticesPage {
        let outbox = try visit.store.notices().outbox
        let titles = Dictionary(
            uniqueKeysWithValues: try visit.store.apps().map { ($0.bundleIdentifier, $0.title) }
        )
        let entries = try visit.store.webhooks().webhooks.map { webhook in
            let apps = webhook.apps.map { titles[$0] ?? $0.rawValue }.joined(separator: ", ")
            let events = webhook.events.map(\.title).joined(separator: ", ")
            let document = WebhookDetailDocument(webhook, outbox)
            let deliveries = document.deliveries.prefix(shown).map {
                NoticesPage.Delivered($0, at: visit.now)
            }
            return NoticesPage.Entry(
                address: webhook.url.shown,
                kind: "\(webhook.identifier) · \(webhook.kind.words)",
                subjects: (events.isEmpty ? "everything" : events)
                    + (apps.isEmpty ? "" : " about \(apps)")
                    + (document.webhook.limitWords.map { " · " + $0 } ?? ""),
                state: state(of: document.webhook, deliveries, at: visit.now),
                stateTone: document.webhook.trouble.map { $0 == .bad ? "bad" : "warn" },
                buttons: WebhookButton.all.filter { $0.isOffered(document.webhook) }.map {
                    ActionButton($0, of: document.webhook, visit)
                },
                deliveries: deliveries,
            )
        }
        return NoticesPage(
            entries,
            form: form,
            links: visit.links,
            made: made,
            admin: try visit.chrome(),
        )
    }

    /// Returns the webhook's status in words: `failing since 21 November 2026, 21:35 UTC`, `HTTP 500`,
    /// `14 queued`, `next attempt in 6 minutes`.
    private static func state(
        of webhook: WebhookEntry,
        _ deliveries: [NoticesPage.Delivered],
        at now: Date,
    ) -> [String] {
        var parts = webhook.statusWords
        if webhook.trouble == nil {
            let isSending = webhook.waiting > 0
            parts = [
                deliveries.first.map { "\($0.outcome) \($0.when)" }
                    ?? (isSending ? "sending" : "nothing sent yet")
            ]
        }
        if webhook.waiting > 0 { parts.append("\(webhook.waiting) queued") }
        if let next = webhook.next { parts.append("next attempt \(Wording.soon(next, at: now))") }
        return parts
    }

    /// Returns the form as it was sent, with a sample of a message in its format.
    private static func preview(
        _ new: NewWebhook,
        _ visit: AdminRequest,
    ) throws -> NoticesPage.Form {
        let template = new.kind == .custom ? try WebhookTemplate(new.body ?? "") : nil
        var form = try form(new, visit)
        form.preview = NoticesPage.Preview(
            title: new.kind.words,
            text: try PayloadSample.text(for: new.kind, template: template, at: visit.now),
        )
        return form
    }

    private static func form(
        _ new: NewWebhook,
        _ visit: AdminRequest,
    ) throws -> NoticesPage.Form {
        var form = NoticesPage.Form()
        form.url = new.url
        form.ownBody = new.body ?? ""
        form.kinds = (Webhook.Kind.chats + [.json]).map {
            NoticesPage.Choice(value: $0.rawValue, title: $0.words, isChosen: $0 == new.kind)
        }
        form.events = NoticeEvent.subjects.map { event in
            NoticesPage.Choice(
                value: field(event),
                title: event.title,
                isChosen: new.events?.contains(event) ?? true,
            )
        }
        form.apps = try visit.store.apps().map { app in
            NoticesPage.Choice(
                value: app.bundleIdentifier.rawValue,
                title: app.title,
                isChosen: new.apps?.contains(app.bundleIdentifier.rawValue) ?? false,
            )
        }
        form.channels = (new.channels ?? []).map(\.rawValue).joined(separator: ", ")
        form.groups = (new.groups?.names ?? []).map(\.rawValue).joined(separator: ", ")
        return form
    }

    /// Sets the channels and groups from the form.
    ///
    /// - Throws: ``Problem`` for text that is not a list of names.
    private static func limit(_ new: inout NewWebhook, by form: FormBody) throws {
        let channels = (form["channels"] ?? "").split(atByte: ",").map { String($0.trimmed) }
        let names = channels.filter { !$0.isEmpty }
        new.channels = names.isEmpty ? nil : names.compactMap { ChannelName($0) }
        guard new.channels?.count ?? 0 == names.count else {
            throw Problem(form: "channels", "separate the names of channels with commas")
        }
        let groups = (form["groups"] ?? "").filter { $0 != " " }
        new.groups = GroupNames(groups)
        guard groups.isEmpty || new.groups != nil else {
            throw Problem(form: "groups", "separate the names of groups with commas")
        }
    }

    /// Returns the name of an event's field; a form must not contain a field twice.
    private static func field(_ event: NoticeEvent) -> String { "event." + event.rawValue }
}

extension Webhook.Kind {
    fileprivate var words: String {
        switch self {
        case .json: "JSON, signed"
        case .slack: "Slack"
        case .teams: "Microsoft Teams"
        case .discord: "Discord"
        case .custom: "Your own JSON"
        case .email: "E-mail"
        }
    }
}

extension NoticesPage.Delivered {
    fileprivate init(_ delivery: DeliveryDocument, at now: Date) {
        let because =
            delivery.reason.map { ": \($0)" }
            ?? delivery.status.map { " with \($0)" } ?? ""
        let outcome =
            switch delivery.outcome {
            case .delivered: "delivered"
            case .failed: "given up" + because
            case .dropped: "dropped: too many messages were queued"
            }
        self.init(
            title: delivery.title,
            outcome: outcome,
            isGood: delivery.outcome == .delivered,
            date: delivery.date,
            at: now,
        )
    }
}

extension ActionButton {
    fileprivate init(_ button: WebhookButton, of webhook: WebhookEntry, _ visit: AdminRequest) {
        self.init(
            button.title,
            label: button.label(webhook.url),
            url: visit.links.webhook(webhook.identifier) + "/" + button.verb,
            code: visit.formCode,
            confirmation: button.confirmation,
            isBad: button.isBad,
        )
    }
}
