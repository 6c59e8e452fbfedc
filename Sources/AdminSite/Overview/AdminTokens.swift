import APIDocuments
import Access
import Administration
import Bundles
import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import Identifiers
import Pages
import Problems
import Releases
import SiteServices
import Store

/// The page of access tokens, and its forms.
struct AdminTokens: Sendable {
    let gate: AdminGate

    /// The routes of the page and its forms, relative to `/admin`.
    var table: AdminRoutes.Table {
        [Route("/tokens", [.get: page, .post: create])]
            + TokenButton.all.map { button in
                Route("/tokens/{token}/\(button.verb)", [.post: press(button)])
            }
    }

    /// Answers `GET /admin/tokens?made=`.
    @Sendable func page(_ request: Request, _ context: RouteContext) async throws -> Response {
        let identifier = request.uri.queryParameters["made"].map { String($0) }
        return try await gate.page(request, context, in: .tokens) { visit in
            try Self.page(visit, made: identifier.flatMap { try Self.made($0, visit) })
        }
    }

    /// Returns the token that was just created, with its secret only the first time.
    private static func made(
        _ identifier: String,
        _ visit: AdminRequest,
    ) throws -> TokensPage.Made? {
        guard let token = try visit.store.tokens()[identifier] else { return nil }
        let kept = visit.services.secrets.take(identifier, for: visit.session, at: visit.now)
        guard case .token(let secret)? = kept else {
            return TokensPage.Made(name: token.name, secret: nil)
        }
        return TokensPage.Made(name: token.name, secret: secret)
    }

    /// Answers `POST /admin/tokens`; the next page shows the secret, once.
    @Sendable func create(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.action(request, context, in: .tokens) { visit, form in
            var draft = TokensPage.Draft(
                name: form["name"] ?? "",
                app: form["app"] ?? "",
                days: form["days"].flatMap { Int($0) } ?? -1,
            )
            do {
                let made = try visit.perform(
                    CreateToken(Self.wanted(form, draft, at: visit.now))
                )
                return Self.handOver(made, visit)
            } catch {
                guard let problem = Problem(ofForm: error) else { throw error }
                draft.problem = PageProblem(problem)
                return .again(try Self.page(visit, draft), problem.kind.status)
            }
        }
    }

    /// Keeps a token's secret for the next page, which shows it once.
    static func handOver(_ made: CreatedTokenDocument, _ visit: AdminRequest) -> AdminOutcome {
        visit.services.secrets.keep(
            .token(made.secret ?? ""),
            as: made.token.identifier,
            for: visit.session,
            at: visit.now,
        )
        return .elsewhere(visit.links.tokens + "?made=\(made.token.identifier)")
    }

    /// Answers the `POST` of a button.
    private func press(_ button: TokenButton) -> RouteHandler {
        { request, context in
            let identifier = try context.text("token")
            return try await gate.action(request, context, in: .tokens) { visit, _ in
                guard try visit.store.tokens()[identifier] != nil else { throw Refusal.notFound }
                return try button.press(visit, identifier)
            }
        }
    }

    private static func wanted(
        _ form: FormBody,
        _ draft: TokensPage.Draft,
        at date: Date,
    ) throws -> NewToken {
        guard let action = Scope.Action(rawValue: form["scope"] ?? "") else {
            throw Problem(form: "scope", "choose the permissions of the token")
        }
        guard TokensPage.lifetimes.contains(draft.days) else {
            throw Problem(form: "days", "choose how long the token is valid")
        }
        guard draft.app.isEmpty || action != .admin else {
            throw Problem(
                form: "app",
                "full access covers devices and settings, so it cannot be limited to one app",
                fix: "choose “All apps”, or a narrower permission",
            )
        }
        return NewToken(
            name: draft.name,
            scopes: [action.rawValue + (draft.app.isEmpty ? "" : ":" + draft.app)],
            expires: draft.days == 0 ? nil : date.addingTimeInterval(Double(draft.days) * 86_400),
        )
    }

    private static func page(
        _ visit: AdminRequest,
        _ draft: TokensPage.Draft = TokensPage.Draft(),
        made: TokensPage.Made? = nil,
    ) throws -> TokensPage {
        let apps = try visit.store.apps()
        let titles = Dictionary(uniqueKeysWithValues: apps.map { ($0.bundleIdentifier, $0.title) })
        let tokens = try visit.store.tokens().tokens.reversed().map { token in
            let isOwn = token.identifier == visit.session.subject
            return TokensPage.Entry(
                identifier: token.identifier,
                name: token.name,
                scopes: token.scopes.map { scope in
                    let app = scope.app.map { titles[$0] ?? $0.rawValue }
                    return scope.action.words + (app.map { ", \($0) only" } ?? "")
                },
                created: token.created,
                end: (expires: token.expires, revoked: token.revoked),
                isOwn: isOwn,
                isOver: token.refusal(at: visit.now) != nil,
                buttons: isOwn
                    ? [.leaving(token, visit)]
                    : TokenButton.all.map { ActionButton($0, of: token, visit) },
            )
        }
        return TokensPage(
            tokens,
            apps: apps,
            links: visit.links,
            draft: draft,
            made: made,
            at: visit.now,
            admin: try visit.chrome(),
        )
    }
}

extension Scope.Action {
    fileprivate var words: String {
        switch self {
        case .read: "read"
        case .publish: "publish"
        case .admin: "full access"
        }
    }
}

extension ActionButton {
    fileprivate init(_ button: TokenButton, of token: AccessToken, _ visit: AdminRequest) {
        self.init(
            button.title,
            label: "\(button.title) \(token.name)",
            url: visit.links.token(token.identifier) + "/" + button.verb,
            code: visit.formCode,
            confirmation: button.confirmation,
            isBad: button.isBad,
        )
    }

    /// Revoking one's own token is the same as signing out everywhere.
    fileprivate static func leaving(_ token: AccessToken, _ visit: AdminRequest) -> ActionButton {
        ActionButton(
            "Revoke",
            label: "Revoke \(token.name)",
            url: visit.links.signOutEverywhere,
            code: visit.formCode,
            confirmation:
                "You are signed in with this token; revoking it signs you out everywhere.",
            isBad: true,
        )
    }
}
