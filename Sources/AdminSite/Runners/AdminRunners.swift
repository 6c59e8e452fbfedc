import APIDocuments
import Administration
import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import Identifiers
import Mirrors
import Pages
import Problems
import Releases
import SiteServices
import Store

/// The pages of runners, and their forms.
struct AdminRunners: Sendable {
    let gate: AdminGate

    /// The routes of the pages and their forms, relative to `/admin`.
    var table: AdminRoutes.Table {
        [
            Route("/runners", [.get: list, .post: add]),
            Route("/runners/{runner}", [.get: page]),
            Route("/runners/{runner}/settings", [.post: change]),
            Route("/runners/{runner}/code", [.post: renewCode]),
        ]
            + RunnerButton.all.map { button in
                Route("/runners/{runner}/\(button.verb)", [.post: press(button)])
            }
    }

    /// Answers `GET /admin/runners`.
    @Sendable func list(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.page(request, context, in: .mirrors) { try Self.list($0) }
    }

    /// Answers `GET /admin/runners/{runner}?made=`, which shows a new registration command, once.
    @Sendable func page(_ request: Request, _ context: RouteContext) async throws -> Response {
        let name = try context.text("runner")
        return try await gate.page(request, context, in: .mirrors) { try Self.page($0, name) }
    }

    /// Answers `POST /admin/runners`.
    @Sendable func add(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.action(request, context, in: .mirrors) { visit, form in
            var draft = RunnersPage.Draft(
                name: form["name"] ?? "",
                labels: form["labels"] ?? "",
                mirrors: try Self.mirrors(form, visit),
                references: RunnerReferences(rawValue: form["references"] ?? "") ?? .trusted,
            )
            do {
                let labels = Self.labels(draft.labels)
                return Self.given(
                    try visit.perform(
                        AddRunner(
                            NewRunner(
                                name: draft.name,
                                labels: labels,
                                mirrors: draft.mirrors,
                                references: draft.references,
                            )
                        )
                    ),
                    visit,
                )
            } catch {
                guard let problem = Problem(ofForm: error) else { throw error }
                draft.problem = PageProblem(problem)
                return .again(try Self.list(visit, draft), problem.kind.status)
            }
        }
    }

    /// Answers `POST /admin/runners/{runner}/code`.
    @Sendable func renewCode(_ request: Request, _ context: RouteContext) async throws -> Response {
        let name = try context.text("runner")
        return try await gate.action(request, context, in: .mirrors) { visit, _ in
            Self.given(try visit.perform(RenewRunnerCode(name)), visit)
        }
    }

    /// Answers `POST /admin/runners/{runner}/settings`.
    @Sendable func change(_ request: Request, _ context: RouteContext) async throws -> Response {
        let name = try context.text("runner")
        return try await gate.action(request, context, in: .mirrors) { visit, form in
            do {
                let change = RunnerChange(
                    labels: Self.labels(form["labels"] ?? ""),
                    mirrors: try Self.mirrors(form, visit),
                    references: form["references"].flatMap(RunnerReferences.init),
                )
                let runner = try visit.perform(ChangeRunner(name, change)).runner
                return .done(
                    "Runner \(runner.name) changed.",
                    goingTo: Self.url(of: runner, visit),
                )
            } catch {
                guard let problem = Problem(ofForm: error) else { throw error }
                let page = try Self.page(visit, name, problem: PageProblem(problem))
                return .again(page, problem.kind.status)
            }
        }
    }

    private func press(_ button: RunnerButton) -> RouteHandler {
        { request, context in
            let name = try context.text("runner")
            return try await gate.action(request, context, in: .mirrors) { visit, _ in
                let (done, stays) = try button.press(visit, name)
                let url = visit.links.runners
                return .done(done, goingTo: stays ? "\(url)/\(name)" : url)
            }
        }
    }

    // MARK: Parts

    /// Keeps the registration command for the next page.
    private static func given(
        _ document: RunnerCodeDocument,
        _ visit: AdminRequest,
    ) -> AdminOutcome {
        let name = document.runner.name
        if let command = document.command {
            visit.services.secrets.keep(
                .runner(command),
                as: "runner \(name)",
                for: visit.session,
                at: visit.now,
            )
        }
        return .elsewhere(url(of: document.runner, visit))
    }

    private static func url(of runner: RunnerEntry, _ visit: AdminRequest) -> String {
        "\(visit.links.runners)/\(runner.name)"
    }

    private static func labels(_ text: String) -> [String] {
        text.split { $0 == "," || $0.isWhitespace }.map(String.init)
    }

    /// Returns the mirrors whose boxes are checked.
    private static func mirrors(_ form: FormBody, _ visit: AdminRequest) throws -> [String] {
        try mirrors(visit).filter { form["mirror.\($0)"] != nil }
    }

    private static func mirrors(_ visit: AdminRequest) throws -> [String] {
        try visit.store.mirrors().mirrors.map(\.name.rawValue)
    }

    private static func list(
        _ visit: AdminRequest,
        _ draft: RunnersPage.Draft = RunnersPage.Draft(),
    ) throws -> RunnersPage {
        RunnersPage(
            try visit.perform(ListRunners()).runners.map { $0.line(visit) },
            mirrors: try mirrors(visit),
            links: visit.links,
            draft: draft,
            admin: try visit.chrome(),
        )
    }

    private static func page(
        _ visit: AdminRequest,
        _ name: String,
        problem: PageProblem? = nil,
    ) throws -> RunnerPage {
        let runner: RunnerEntry
        do {
            runner = try visit.perform(ShowRunner(name)).runner
        } catch let refusal as any ReportableError where refusal.kind == .notFound {
            throw Refusal.notFound
        }
        let url = url(of: runner, visit)
        var command: String?
        let kept = visit.services.secrets.take(
            "runner \(name)",
            for: visit.session,
            at: visit.now,
        )
        if case .runner(let line)? = kept { command = line }
        return RunnerPage(
            runner.line(visit, hasFacts: true),
            facts: runner.facts(at: visit.now),
            start: runner.codeExpires.map {
                .init(command: command, expires: Wording.moment($0))
            },
            settings: .init(
                url: url + "/settings",
                formCode: visit.formCode,
                labels: runner.labels.joined(separator: ", "),
                chosen: runner.mirrors,
                of: try mirrors(visit),
                references: runner.references,
                problem: problem,
            ),
            buttons: RunnerButton.all.filter { $0.isOffered(runner) }.map {
                ActionButton($0, of: runner, at: url, code: visit.formCode)
            } + [codeButton(of: runner, at: url, visit)],
            runnersURL: visit.links.runners,
            admin: try visit.chrome(),
        )
    }

    private static func codeButton(
        of runner: RunnerEntry,
        at url: String,
        _ visit: AdminRequest,
    ) -> ActionButton {
        ActionButton(
            "New line to paste",
            label: "Create a new line to paste for \(runner.name)",
            url: url + "/code",
            code: visit.formCode,
            confirmation:
                "For a Mac that never registered, or that replaces this one. The earlier "
                + "agent’s token works until the new line is used.",
        )
    }
}
