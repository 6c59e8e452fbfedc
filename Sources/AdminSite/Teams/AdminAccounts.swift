import APIDocuments
import Administration
import HTTPServing
import HTTPTypes
import Hummingbird
import Identifiers
import Pages
import Problems
import Releases
import SiteServices
import Store

/// Requests to a team's developer account, and changes there.
///
/// Each request is a form, because it takes as long as Apple does.
struct AdminAccounts: Sendable {
    let gate: AdminGate

    /// The routes of the forms, relative to `/admin`.
    var table: AdminRoutes.Table {
        [
            Route("/teams/{team}/check", [.get: back, .post: check]),
            Route("/teams/{team}/compare", [.get: back, .post: compare]),
            Route("/teams/{team}/sync", [.get: back, .post: sync]),
            Route("/teams/{team}/certificate", [.get: back, .post: certificate]),
            Route("/teams/{team}/certificate/create", [.get: back, .post: create]),
            Route("/teams/{team}/account/remove", [.post: remove]),
        ]
    }

    /// Answers `GET` at the URL of a form's result, which may be bookmarked, with a redirect to the
    /// teams.
    @Sendable func back(_ request: Request, _ context: RouteContext) async throws -> Response {
        AdminGate.redirect(to: gate.links.teams)
    }

    /// Answers `POST /admin/teams/{team}/check` with what the account has and lacks.
    @Sendable func check(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await ask(request, context, { CheckTeam($0) }) { visit, document in
            let lines = document.lines.map {
                AccountPage.Line(
                    Wording.sentence($0.text),
                    fix: $0.pageFix,
                    tone: $0.verdict.tone,
                )
            }
            return .again(
                AccountPage(
                    "The developer account of \(document.team)",
                    summary: document.good
                        ? "The server has everything that it needs."
                        : "Something is missing: first fix the lines in red.",
                    lines: lines,
                    backURL: visit.links.teams,
                    admin: try visit.chrome(),
                ),
                .ok,
            )
        }
    }

    /// Answers `POST /admin/teams/{team}/compare` with what would be changed.
    @Sendable func compare(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await ask(request, context, { SyncTeam($0, isDryRun: true) }) { visit, document in
            let lines =
                document.steps.map { AccountPage.Line(Wording.sentence($0), tone: "accent") }
                + document.differences.map {
                    AccountPage.Line(
                        Wording.sentence($0.text),
                        fix: Wording.sentence($0.fix),
                        tone: "warn",
                    )
                }
                + document.slots.map {
                    let text = "\($0.used) of \($0.limit) \($0.family.title) slots are used."
                    return AccountPage.Line(text, tone: $0.used < $0.limit ? "good" : "bad")
                }
            let isFirst = document.agreed == nil
            let button = ActionButton(
                isFirst ? "Allow changes at Apple" : "Make these changes",
                label: "Change the developer account of \(document.team)",
                url: visit.links.team(document.team) + "/sync",
                code: visit.formCode,
            )
            return .again(
                AccountPage(
                    "The devices of \(document.team) at Apple",
                    summary: document.summary,
                    lines: lines,
                    remark: isFirst
                        ? "After that, the server registers devices and renews profiles automatically."
                        : nil,
                    button: isFirst || !document.steps.isEmpty ? button : nil,
                    backURL: visit.links.teams,
                    admin: try visit.chrome(),
                ),
                .ok,
            )
        }
    }

    /// Answers `POST /admin/teams/{team}/sync`.
    @Sendable func sync(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await ask(request, context, { SyncTeam($0) }) { visit, document in
            let message =
                document.job == nil
                ? document.summary
                : "The server is making \(Wording.count(document.steps.count, "change"))."
            return .done(message, goingTo: visit.links.teams)
        }
    }

    /// Answers `POST /admin/teams/{team}/certificate` with whether the certificate can be used.
    @Sendable func certificate(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        try await ask(request, context, { CreateCertificate($0, isDryRun: true) }) {
            visit,
            document in
            let isKept = document.plan == .keep
            return .again(
                AccountPage(
                    "The certificate of \(document.team)",
                    summary: isKept
                        ? "\(document.keptWords)." : "A new certificate is needed.",
                    lines: [
                        AccountPage.Line(
                            Wording.sentence(document.text),
                            tone: isKept ? "good" : "warn",
                        )
                    ],
                    remark: isKept
                        ? nil
                        : "Apple allows a team two or three certificates. The current one is not "
                            + "revoked.",
                    button: isKept
                        ? nil
                        : ActionButton(
                            "Create certificate",
                            label: "Create a certificate of \(document.team)",
                            url: visit.links.team(document.team) + "/certificate/create",
                            code: visit.formCode,
                        ),
                    backURL: visit.links.teams,
                    admin: try visit.chrome(),
                ),
                .ok,
            )
        }
    }

    /// Answers `POST /admin/teams/{team}/certificate/create`.
    @Sendable func create(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await ask(request, context, { CreateCertificate($0) }) { visit, document in
            let message =
                document.job == nil
                ? "\(document.keptWords)." : "The server is requesting a certificate from Apple."
            return .done(message, goingTo: visit.links.teams)
        }
    }

    /// Answers `POST /admin/teams/{team}/account/remove`.
    @Sendable func remove(_ request: Request, _ context: RouteContext) async throws -> Response {
        let team = try context.text("team")
        return try await gate.action(request, context, in: .teams) { visit, _ in
            let changed = try visit.perform(ChangeTeam(team, TeamChange(removeAPIKey: true))).team
            return .done(
                "The server no longer has a key for the developer account of \(changed.name).",
                goingTo: visit.links.teams,
            )
        }
    }

    /// Asks Apple without blocking a thread; a refusal becomes a page.
    private func ask<Asked: WaitingAction>(
        _ request: Request,
        _ context: RouteContext,
        _ action: @escaping @Sendable (String) -> Asked,
        _ answer: @escaping @Sendable (AdminRequest, Asked.Answer) throws -> AdminOutcome,
    ) async throws -> Response {
        let team = try context.text("team")
        return try await gate.action(
            request,
            context,
            in: .teams,
            preparing: { visit, _ in try await Result.caught { try await visit.ask(action(team)) }
            },
        ) { visit, _, result in
            do {
                return try answer(visit, result.get())
            } catch let error as any ReportableError {
                let problem = error.problem
                let page = AdminMessagePage(
                    title: "Not done",
                    message: Wording.sentence(problem.message),
                    fix: problem.pageFix.map { Wording.sentence($0) },
                    problem: problem.id,
                    backURL: visit.links.teams,
                    admin: try visit.chrome(),
                )
                return .again(page, problem.kind.status)
            }
        }
    }
}

extension Result where Failure == any Error {
    /// Returns the result of asynchronous work; only the task's cancellation is thrown.
    fileprivate static func caught(_ work: () async throws -> Success) async throws -> Self {
        do {
            return .success(try await work())
        } catch {
            try Task.checkCancellation()
            return .failure(error)
        }
    }
}

extension AdminRequest {
    /// Performs an action that waits for another server, in this admin's name.
    func ask<Performed: WaitingAction>(
        _ action: Performed
    ) async throws -> Performed.Answer {
        try await administration.perform(action)
    }
}

extension TeamCertificateDocument {
    /// A clause that says that nothing has to be done.
    fileprivate var keptWords: String {
        "The current certificate is valid" + (expires.map { " until \(Wording.day($0))" } ?? "")
    }
}

extension TeamCheckDocument.Line {
    /// The fix for a page, without commands for the command line.
    fileprivate var pageFix: String? {
        fix.flatMap { text in
            Problem(id: "", kind: .failed, message: self.text, fix: text).pageFix
                .map { Wording.sentence($0) }
        }
    }
}

extension TeamCheckDocument.Line.Verdict {
    fileprivate var tone: String {
        switch self {
        case .good: "good"
        case .warning: "warn"
        case .missing: "bad"
        }
    }
}
