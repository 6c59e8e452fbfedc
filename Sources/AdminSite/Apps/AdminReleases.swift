import APIDocuments
import Access
import Administration
import HTTPServing
import Hummingbird
import Identifiers
import Inspection
import Pages
import Problems
import Publishing
import Releases
import SiteServices
import Store

/// The pages and forms of a release.
///
/// A token that can publish an app can also promote and withdraw its releases, and edit their notes.
struct AdminReleases: Sendable {
    /// Bytes of the longest notes with every byte percent-encoded, and of the form's other fields.
    private static let notesForm = 3 * PublishOptions.notesLimit + 8192

    let gate: AdminGate

    /// Answers `GET /admin/apps/{slug}/{release}?against=`.
    @Sendable func page(_ request: Request, _ context: RouteContext) async throws -> Response {
        let text = request.uri.queryParameters["against"].map(String.init)
        let other = try text.map { text in
            guard let other = ReleaseIdentifier(text) else { throw Refusal.notFound }
            return other
        }
        return try await look(request, context) { visit, release in
            try release.page(against: other, for: visit)
        }
    }

    /// Answers `GET /admin/apps/{slug}/{release}/icon.png`.
    @Sendable func icon(_ request: Request, _ context: RouteContext) async throws -> Response {
        let name = try AdminRelease.Name(context)
        return try await gate.file(request) { visit in
            let release = try AdminRelease(name, for: visit).release
            return try visit.icon(of: release, route: "/admin/apps/{slug}/{release}/icon.png")
        }
    }

    /// Answers `GET /admin/apps/{slug}/{release}/notes`.
    @Sendable func notes(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await look(request, context) { visit, release in
            try release.requirePublisher(visit)
            return try release.notesPage(release.release.notes, for: visit)
        }
    }

    /// Answers `POST /admin/apps/{slug}/{release}/notes`: saves the notes, or shows a preview.
    @Sendable func changeNotes(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        try await act(request, context, atMost: Self.notesForm) { visit, release, form in
            let notes = (form["notes"] ?? "").replacing("\r\n", with: "\n")
            guard form["do"] != "preview" else {
                return .again(
                    try release.notesPage(notes, version: form["version"], for: visit),
                    .ok,
                )
            }
            do {
                _ = try ChangeNotes(of: release.identifier, of: release.appName, to: notes)
                    .perform(in: visit.administration) {
                        try form.isOf(DocumentTag(of: $0.notes))
                    }
            } catch {
                guard let problem = Problem(ofForm: error) else { throw error }
                return .again(
                    try release.notesPage(notes, problem: PageProblem(problem), for: visit),
                    problem.kind.status,
                )
            }
            return .done("Notes saved.", goingTo: release.links.page)
        }
    }

    /// Answers `GET /admin/apps/{slug}/{release}/withdraw`.
    @Sendable func askToWithdraw(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        try await look(request, context) { visit, release in
            try release.requirePublisher(visit)
            return try Self.withdrawal(of: release, visit)
        }
    }

    private static func withdrawal(
        of release: AdminRelease,
        reason: String = "",
        problem: PageProblem? = nil,
        _ visit: AdminRequest,
    ) throws -> ConfirmPage {
        ConfirmPage(
            "Withdraw \(release.title)?",
            consequences: [
                "No one can install it any more. Downloads in progress finish.",
                "Channels that offer it show the reason on the app's page. You can restore it "
                    + "later.",
            ],
            action: MessagePage.Action(title: "Withdraw", url: release.links.withdraw),
            input: ConfirmPage.Input(
                name: "reason",
                label: "Why?",
                hint: "Shown to testers.",
                limit: Administrator.reasonLimit,
                value: reason,
                problem: problem,
            ),
            cancelURL: release.links.page,
            admin: try visit.chrome(),
        )
    }

    /// Answers `POST /admin/apps/{slug}/{release}/withdraw`.
    @Sendable func withdraw(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await act(request, context) { visit, release, form in
            let reason = form["reason"] ?? ""
            do {
                try visit.perform(
                    WithdrawRelease(release.identifier, of: release.appName, reason: reason)
                )
            } catch {
                guard let problem = Problem(ofForm: error) else { throw error }
                let page = try Self.withdrawal(
                    of: release,
                    reason: reason,
                    problem: PageProblem(problem),
                    visit,
                )
                return .again(page, problem.kind.status)
            }
            return .done("Release withdrawn.", goingTo: release.links.page)
        }
    }

    /// Answers `POST /admin/apps/{slug}/{release}/restore`.
    @Sendable func restore(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await act(request, context) { visit, release, _ in
            try visit.perform(RestoreRelease(release.identifier, of: release.appName))
            return .done("Release restored.", goingTo: release.links.page)
        }
    }

    // MARK: Parts

    func look(
        _ request: Request,
        _ context: RouteContext,
        require action: Scope.Action = .read,
        _ make: @escaping @Sendable (AdminRequest, AdminRelease) throws -> any AdminPage,
    ) async throws -> Response {
        let name = try AdminRelease.Name(context)
        return try await gate.page(request, context, in: .apps, require: action) { visit in
            try make(visit, AdminRelease(name, for: visit))
        }
    }

    func act(
        _ request: Request,
        _ context: RouteContext,
        atMost limit: Int = FormBody.greatestSize,
        _ act: @escaping @Sendable (AdminRequest, AdminRelease, FormBody) throws -> AdminOutcome,
    ) async throws -> Response {
        let name = try AdminRelease.Name(context)
        return try await gate.action(
            request,
            context,
            in: .apps,
            require: .read,
            atMost: limit,
        ) { visit, form in
            let release = try AdminRelease(name, for: visit)
            try release.requirePublisher(visit)
            return try act(visit, release, form)
        }
    }
}
