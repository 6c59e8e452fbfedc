import APIDocuments
import Access
import Administration
import Foundation
import HTTPServing
import Hummingbird
import Identifiers
import Pages
import Problems
import Releases
import SiteServices
import Store

/// The page of an app's retention rules: which releases stay, and why.
struct AdminRules: Sendable {
    let gate: AdminGate

    var table: RouteTable {
        [
            Route("/apps/{slug}/rules", [.get: page, .post: change]),
            Route("/apps/{slug}/rules/apply", [.post: apply]),
        ]
    }

    /// Answers `GET /admin/apps/{slug}/rules`.
    @Sendable func page(_ request: Request, _ context: RouteContext) async throws -> Response {
        let slug = try context.slug
        return try await gate.page(request, context, in: .apps) { visit in
            let app = try visit.app(slug)
            return try Self.page(of: app, RulesPage.Draft(app.retention), for: visit)
        }
    }

    /// Answers `POST /admin/apps/{slug}/rules`: saves the rules, or shows what they would remove.
    @Sendable func change(_ request: Request, _ context: RouteContext) async throws -> Response {
        let slug = try context.slug
        return try await gate.action(request, context, in: .apps) { visit, form in
            let app = try visit.app(slug)
            var draft = RulesPage.Draft(app.retention)
            draft.kind = form["kind"].flatMap { RulesPage.Draft.Kind(rawValue: $0) } ?? draft.kind
            draft.newest = form["newest"] ?? ""
            draft.days = form["days"] ?? ""
            draft.keepsInstalled = form["installed"] != nil
            do {
                let rules = try Self.rules(draft)
                guard form["do"] != "preview" else {
                    let usual = try visit.store.settings().retention ?? .everything
                    let tried = rules ?? usual
                    return .again(try Self.page(of: app, draft, trying: tried, for: visit), .ok)
                }
                try visit.perform(
                    ChangeRules(of: app.bundleIdentifier.rawValue, to: RulesRequest(rules))
                )
                return .done("Rules saved.", goingTo: visit.links.pages(of: app.slug).rules)
            } catch {
                guard let problem = Problem(ofForm: error) else { throw error }
                let page = try Self.page(of: app, draft, problem, for: visit)
                return .again(page, problem.kind.status)
            }
        }
    }

    /// Answers `POST /admin/apps/{slug}/rules/apply`.
    @Sendable func apply(_ request: Request, _ context: RouteContext) async throws -> Response {
        let slug = try context.slug
        return try await gate.action(request, context, in: .apps) { visit, _ in
            let app = try visit.app(slug)
            let done = try visit.perform(
                ApplyRules(
                    of: app.bundleIdentifier.rawValue,
                    ApplyRulesRequest(isDryRun: false),
                )
            )
            let count = Wording.count(done.removed.count, "release")
            return .done(
                "\(count) removed; \(Wording.size(done.freed)) freed.",
                goingTo: visit.links.pages(of: app.slug).rules,
            )
        }
    }

    // MARK: Parts

    /// Returns the rules in a form; nil for the rules of all apps.
    private static func rules(_ draft: RulesPage.Draft) throws -> RetentionRules? {
        switch draft.kind {
        case .usual: return nil
        case .everything: return .everything
        case .own:
            let rules = RetentionRules(
                newest: try number(draft.newest),
                days: try number(draft.days),
                keepsInstalled: draft.keepsInstalled,
            )
            guard !rules.keepsEverything else {
                throw Problem(
                    form: "newest",
                    "the rules of this app need a number",
                    fix: "enter how many releases or how many days to keep",
                )
            }
            guard rules.isValid else { throw AdministrationRefusal.badRules }
            return rules
        }
    }

    /// Parses a number; nil if the field is empty.
    private static func number(_ text: String) throws -> Int? {
        let digits = text.filter { !$0.isWhitespace }
        guard !digits.isEmpty else { return nil }
        guard let number = Int(digits) else {
            throw Problem(
                form: "newest",
                "give whole numbers",
                fix: "such as 10 releases or 30 days",
            )
        }
        return number
    }

    /// Returns the page with a dry run of the rules.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - draft: the form's values.
    ///   - rules: rules to try; nil for the app's current rules.
    ///   - problem: the reason why the form was refused; nil for none.
    ///   - visit: the admin's request.
    /// - Returns: the page.
    /// - Throws: the errors of the dry run.
    private static func page(
        of app: AppRecord,
        _ draft: RulesPage.Draft,
        trying rules: RetentionRules? = nil,
        _ problem: Problem? = nil,
        for visit: AdminRequest,
    ) throws -> RulesPage {
        let name = app.bundleIdentifier.rawValue
        let held = try visit.perform(ShowRules(of: name))
        let tried = try visit.perform(
            ApplyRules(of: name, ApplyRulesRequest(isDryRun: true, under: rules))
        )
        return RulesPage(
            of: app,
            draft: draft,
            trial: RulesPage.Trial(
                rules ?? held.rules,
                isSaved: rules == nil && problem == nil,
                freed: tried.freed,
                lines: tried.releases.compactMap { line in
                    ReleaseIdentifier(line.release).map {
                        RulesPage.Trial.Line(
                            release: $0,
                            published: line.published,
                            reasons: line.reasons.map(\.message),
                        )
                    }
                },
            ),
            next: held.next,
            problem: problem.map { PageProblem($0) },
            links: visit.links,
            admin: try visit.chrome(),
        )
    }
}
