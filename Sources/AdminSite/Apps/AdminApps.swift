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

/// The pages of apps, each with its channels, releases and settings.
struct AdminApps: Sendable {
    static let pageLength = 30
    /// Apps per page.
    static let tiles = 60
    /// Releases and devices in one page of the matrix.
    static let columns = 8
    static let rows = 60

    let gate: AdminGate

    /// Answers `GET /admin/apps?show=&search=&sort=&page=`.
    @Sendable func list(_ request: Request, _ context: RouteContext) async throws -> Response {
        let fields = request.uri.queryParameters
        let search = fields["search"].map(String.init) ?? ""
        guard let order = AppsQuery.Order(rawValue: fields["sort"].map(String.init) ?? "") else {
            throw Refusal.notFound
        }
        let show = fields["show"].map(String.init) ?? ""
        guard ["", "archived"].contains(show) else { throw Refusal.notFound }
        let query = AppsQuery(
            search: String(search.prefix(100)),
            order: order,
            isArchive: show == "archived",
        )
        let number = try request.pageNumber
        return try await gate.page(request, context, in: .apps, require: .read) { visit in
            try Self.list(query, number, for: visit)
        }
    }

    /// Answers `POST /admin/apps`.
    @Sendable func add(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.action(request, context, in: .apps) { visit, form in
            try Self.add(form, visit)
        }
    }

    /// Answers `GET /admin/apps/{slug}?page=`.
    @Sendable func page(_ request: Request, _ context: RouteContext) async throws -> Response {
        let slug = try context.slug
        let number = try request.pageNumber
        return try await gate.page(request, context, in: .apps, require: .read) { visit in
            let app = try visit.app(slug)
            return try Self.page(of: app, number, for: visit)
        }
    }

    /// Answers `GET /admin/apps/{slug}/icon.png`, including icons that testers may not see.
    @Sendable func icon(_ request: Request, _ context: RouteContext) async throws -> Response {
        let slug = try context.slug
        return try await gate.file(request) { visit in
            let app = try visit.app(slug)
            guard let channel = app.defaultChannel,
                let release = try visit.store.release(on: channel, of: app)
            else { throw Refusal.notFound }
            return try visit.icon(of: release, route: "/admin/apps/{slug}/icon.png")
        }
    }

    /// Answers `POST /admin/apps/{slug}/settings`.
    @Sendable func changeSettings(
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Response {
        let slug = try context.slug
        return try await gate.action(request, context, in: .apps) { visit, form in
            let app = try visit.app(slug)
            var wanted = app
            wanted.title = form["title"] ?? app.title
            wanted.isListed = form["listed"] != nil
            wanted.isArchived = form["archived"] != nil
            // Absent if there are no teams to choose from.
            let team = form["team"].flatMap { TeamChoice($0) }
            if let team {
                wanted.team = team.team
                wanted.signing = form["automatic"] == nil ? .manual : .automatic
            }
            wanted.approval = form["approve"] == nil ? .manual : .automatic
            do {
                guard let newSlug = Slug(form["slug"] ?? app.slug.rawValue) else {
                    throw Problem(
                        form: "slug",
                        "the URL name may contain lower-case letters, digits and single hyphens",
                    )
                }
                wanted.slug = newSlug
                wanted.access = try Self.access(form) ?? app.access
                try Self.readRules(form, into: &wanted)
                let passphrase = form["passphrase"].flatMap { $0.isEmpty ? nil : $0 }
                let change = ChangeApp(
                    app.bundleIdentifier.rawValue,
                    AppChange(
                        title: wanted.title,
                        access: wanted.access,
                        slug: newSlug == app.slug ? nil : newSlug,
                        passphrase: passphrase,
                        isListed: wanted.isListed,
                        isArchived: wanted.isArchived,
                        team: team,
                        signing: Self.signing(
                            wanted,
                            unlike: app,
                            isAsked: team != nil && form["automatic"] != nil,
                        ),
                        approval: wanted.approval,
                        freshChannels: FreshChannels(wanted.freshChannels),
                        renewalDays: wanted.renewalDays,
                        minimumVersion: MinimumVersionChoice(wanted.minimumVersion),
                        feedback: wanted.feedback,
                    ),
                )
                let changed = try change.perform(in: visit.administration) {
                    try form.isOf(Self.AppSettings(of: $0).tag)
                }
                return .done(
                    "Settings saved.",
                    goingTo: visit.links.app(changed.record.slug) + "#settings",
                )
            } catch {
                guard let problem = Problem(ofForm: error) else { throw error }
                let page = try Self.page(of: app, 1, for: visit, wanting: wanted, problem)
                return .again(page, problem.kind.status)
            }
        }
    }

    /// Returns the access; nil if the form does not contain it.
    private static func access(_ form: FormBody) throws -> AppRecord.Access? {
        guard let kind = form["access"] else { return nil }
        guard kind == "groups" else { return AppRecord.Access(kind) }
        let text = (form["groups"] ?? "").lowercased().filter { !$0.isWhitespace }
        guard let names = GroupNames(text) else {
            throw Problem(form: "groups", "give \(GroupNames.kindOfText)")
        }
        return .groups(names)
    }

    /// Returns the signing mode; nil if it stays.
    ///
    /// It is also sent when the team is removed, because automatic signing needs one.
    private static func signing(
        _ wanted: AppRecord,
        unlike app: AppRecord,
        isAsked: Bool,
    ) -> AppRecord.Signing? {
        // A record without a team does not store that automatic signing was requested.
        if wanted.team == nil, isAsked { return .automatic }
        let isAlike = wanted.signing == app.signing
        return isAlike && (wanted.team != nil || wanted.team == app.team) ? nil : wanted.signing
    }

    /// Reads the rule fields; those of automatic signing are absent if there are no teams.
    private static func readRules(_ form: FormBody, into app: inout AppRecord) throws {
        if let text = form["minimum"]?.filter({ !$0.isWhitespace }) {
            let minimum = MinimumVersion(text)
            guard text.isEmpty || minimum != nil else {
                throw Problem(form: "minimumVersion", "give \(MinimumVersion.kindOfText)")
            }
            app.minimumVersion = minimum
        }
        if let kind = form["feedback"] {
            let link = (form["feedback-link"] ?? "").filter { !$0.isWhitespace }
            guard let way = FeedbackWay(kind == "link" ? link : kind) else {
                throw Problem(form: "feedback", "give \(FeedbackWay.kindOfText)")
            }
            app.feedback = way
        }
        if let text = form["fresh"] {
            let compact = text.lowercased().filter { !$0.isWhitespace }
            guard let channels = FreshChannels(compact) else {
                throw Problem(form: "freshChannels", "give \(FreshChannels.kindOfText)")
            }
            app.freshChannels = channels.names
        }
        if let text = form["renewal"] {
            guard let days = Int(text) else {
                throw Problem(form: "renewalDays", "give a number of days")
            }
            app.renewalDays = days
        }
    }

    /// Answers `GET /admin/apps/{slug}/devices?show=&page=`.
    @Sendable func matrix(_ request: Request, _ context: RouteContext) async throws -> Response {
        let slug = try context.slug
        let number = try request.pageNumber
        let text = request.uri.queryParameters["show"].map(String.init) ?? ""
        guard let show = MatrixPage.Show(rawValue: text) else { throw Refusal.notFound }
        return try await gate.page(request, context, in: .apps) { visit in
            try Self.matrix(of: visit.app(slug), number, show: show, for: visit)
        }
    }
}
