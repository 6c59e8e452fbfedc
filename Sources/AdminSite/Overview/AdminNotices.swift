import APIDocuments
import Access
import Administration
import Bundles
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

/// The page of the webhooks and its forms.
struct AdminNotices: Sendable {
    /// Deliveries of each webhook that are shown.
    private static let shown = 5

    let gate: AdminGate

    /// The addresses of the page and of its forms, without `/admin`.
    var table: AdminRoutes.Table {
        [
            Route("/notices", [.get: page, .post: add]),
            Route("/notices/{webhook}/retry", [.post: retry]),
            Route("/notices/{webhook}/test", [.post: test]),
            Route("/notices/{webhook}/pause", [.post: pause]),
            Route("/notices/{webhook}/resume", [.post: resume]),
            Route("/notices/{webhook}/remove", [.post: remove]),
        ]
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

    /// The webhook that was added a moment ago; its key the first time only.
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

    /// Answers `POST /admin/notices`; the page that follows shows the key of signatures, once.
    @Sendable func add(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.action(request, context, in: .notices) { visit, form in
            guard let kind = Webhook.Kind(rawValue: form["kind"] ?? "") else {
                throw Problem(form: "kind", "choose a format")
            }
            var new = NewWebhook(url: form["url"] ?? "", kind: kind)
            let chosen = NoticeEvent.subjects.filter { form[Self.field($0)] != nil }
            new.events = chosen.count == NoticeEvent.subjects.count ? nil : chosen
            new.apps = form["app"].flatMap { $0.isEmpty ? nil : [$0] }
            do {
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
                var form = try Self.form(new, visit)
                form.problem = PageProblem(problem)
                return .again(try Self.page(visit, form: form), problem.kind.status)
            }
        }
    }

    /// Answers `POST /admin/notices/{webhook}/retry`.
    @Sendable func retry(_ request: Request, _ context: RouteContext) async throws -> Response {
        let identifier = try context.text("webhook")
        return try await gate.action(request, context, in: .notices) { visit, _ in
            guard try visit.store.webhooks()[identifier] != nil else { throw Refusal.notFound }
            let retried = try visit.perform(RetryWebhook(identifier))
            let (url, count) = (retried.webhook.url, retried.retried)
            return .done(
                count == 0
                    ? "Nothing is queued for \(url)."
                    : "Sending \(Wording.count(count, "queued message")) to \(url) now.",
                goingTo: visit.links.notices,
            )
        }
    }

    /// Answers `POST /admin/notices/{webhook}/test`.
    @Sendable func test(_ request: Request, _ context: RouteContext) async throws -> Response {
        let identifier = try context.text("webhook")
        return try await gate.action(request, context, in: .notices) { visit, _ in
            guard try visit.store.webhooks()[identifier] != nil else { throw Refusal.notFound }
            let webhook = try visit.administrator.queueTest(to: identifier)
            return .done(
                "Sending a test to \(webhook.url.shown) now.",
                goingTo: visit.links.notices,
            )
        }
    }

    /// Answers `POST /admin/notices/{webhook}/pause`.
    @Sendable func pause(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await setPaused(true, request, context)
    }

    /// Answers `POST /admin/notices/{webhook}/resume`.
    @Sendable func resume(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await setPaused(false, request, context)
    }

    private func setPaused(
        _ isPaused: Bool,
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        let identifier = try context.text("webhook")
        return try await gate.action(request, context, in: .notices) { visit, _ in
            guard try visit.store.webhooks()[identifier] != nil else { throw Refusal.notFound }
            let document =
                try isPaused
                ? visit.perform(PauseWebhook(identifier)) : visit.perform(ResumeWebhook(identifier))
            let url = document.webhook.url
            return .done(
                isPaused
                    ? "Webhook \(url) paused. Events are not sent to it until it is resumed."
                    : "Webhook \(url) resumed.",
                goingTo: visit.links.notices,
            )
        }
    }

    /// Answers `POST /admin/notices/{webhook}/remove`.
    @Sendable func remove(_ request: Request, _ context: RouteContext) async throws -> Response {
        let identifier = try context.text("webhook")
        return try await gate.action(request, context, in: .notices) { visit, _ in
            guard try visit.store.webhooks()[identifier] != nil else { throw Refusal.notFound }
            let removed = try visit.perform(RemoveWebhook(identifier)).webhook
            return .done(
                "Webhook \(removed.url) removed. Its queued messages were dropped.",
                goingTo: visit.links.notices,
            )
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
            var entry = NoticesPage.Entry(
                identifier: webhook.identifier,
                address: webhook.url.shown,
                kind: webhook.kind.words,
                subjects: (events.isEmpty ? "everything" : events)
                    + (apps.isEmpty ? "" : " about \(apps)"),
            )
            entry.waiting = outbox.waiting.count { $0.webhook == webhook.identifier }
            entry.paused = webhook.paused
            entry.next = outbox.nextAttempt(for: webhook.identifier)
            entry.failing = outbox.failure(of: webhook.identifier).map { ($0.since, $0.cause) }
            entry.deliveries = outbox.log.filter { $0.webhook == webhook.identifier }.reversed()
                .prefix(shown).map { record in
                    NoticesPage.Delivered(
                        title: record.title,
                        outcome: record.words,
                        isGood: record.outcome == .delivered,
                        date: record.date,
                        at: visit.now,
                    )
                }
            return entry
        }
        return NoticesPage(
            entries,
            form: form,
            links: visit.links,
            made: made,
            at: visit.now,
            admin: try visit.chrome(),
        )
    }

    private static func form(
        _ new: NewWebhook,
        _ visit: AdminRequest,
    ) throws -> NoticesPage.Form {
        var form = NoticesPage.Form()
        form.url = new.url
        form.kinds = Webhook.Kind.allCases.reversed().map {
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
        return form
    }

    /// A form has no field twice, so each event has one of its own.
    private static func field(_ event: NoticeEvent) -> String { "event." + event.rawValue }
}

extension Webhook.Kind {
    fileprivate var words: String {
        switch self {
        case .json: "JSON, signed"
        case .slack: "Slack"
        }
    }
}

extension DeliveryRecord {
    fileprivate var words: String {
        let because = reason.map { ": \($0)" } ?? status.map { " with \($0)" } ?? ""
        return switch outcome {
        case .delivered: "delivered"
        case .failed: "given up" + because
        case .dropped: "dropped: too many messages were queued"
        }
    }
}
