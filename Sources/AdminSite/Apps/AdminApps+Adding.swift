import APIDocuments
import Access
import Administration
import HTTPServing
import Identifiers
import Pages
import Problems
import Releases
import SiteServices
import Store

/// Apps that are added before their first build.
extension AdminApps {
    /// Returns the page of all apps, for admins with the form that adds one.
    static func list(
        _ query: AppsQuery = AppsQuery(),
        _ number: Int = 1,
        for visit: AdminRequest,
        _ draft: NewAppForm.Draft = NewAppForm.Draft(),
    ) throws -> AppsPage {
        let found = try found(query, for: visit)
        let first = (number - 1) * tiles
        guard number == 1 || first < found.count else { throw Refusal.notFound }
        let links = visit.links
        return AppsPage(
            apps: try entries(of: found.dropFirst(first).prefix(tiles), for: visit),
            part: AppsPage.Part(
                of: query,
                found: found.count,
                archived: try visit.apps().filter(\.isArchived).count,
                turn: PageTurn(number: number, length: tiles, total: found.count) {
                    links.apps(query, page: $0)
                },
                links: links,
            ),
            newApp: visit.isAdmin
                ? NewAppForm(draft, sentTo: visit.links.apps, teams: try visit.store.teams()) : nil,
            publishURL: visit.principal.mayPublish ? visit.links.publish : nil,
            at: visit.now,
            admin: try visit.chrome(),
        )
    }

    /// Adds the app, or returns the form again with the problem.
    static func add(_ form: FormBody, _ visit: AdminRequest) throws -> AdminOutcome {
        var draft = NewAppForm.Draft()
        draft.identifier = form["identifier"] ?? ""
        draft.title = form["title"] ?? ""
        draft.team = form["team"] ?? ""
        draft.isAutomatic = form["automatic"] != nil
        do {
            guard let identifier = BundleIdentifier(draft.identifier) else {
                throw Problem(
                    form: "identifier",
                    "the bundle identifier must be one such as com.example.app",
                )
            }
            // Absent if there are no teams to choose from.
            let team = TeamChoice(draft.team).flatMap { $0.team == nil ? nil : $0 }
            let settings = AppChange(
                title: draft.title.isEmpty ? nil : draft.title,
                team: team,
                signing: team != nil && draft.isAutomatic ? .automatic : nil,
            )
            let added = try visit.perform(AddApp(NewApp(identifier, settings))).app
            let page = Slug(added.slug).map { visit.links.app($0) } ?? visit.links.apps
            return .done("\(added.title) added; it has no build yet.", goingTo: page)
        } catch {
            guard let problem = Problem(ofForm: error) else { throw error }
            draft.problem = PageProblem(problem)
            return .again(try list(for: visit, draft), problem.kind.status)
        }
    }
}
