import APIDocuments
import Access
import Administration
import Bundles
import Bytes
import Cryptography
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

/// The page of teams, and its forms.
struct AdminTeams: Sendable {
    /// The most bytes of a form with files.
    private static let greatestForm = 1 << 20

    let gate: AdminGate

    /// The routes of the page and its forms, relative to `/admin`.
    var table: AdminRoutes.Table {
        [
            Route("/teams", [.get: page, .post: add]),
            Route("/teams/{team}", [.post: change]),
            Route("/teams/{team}/remove", [.post: remove]),
        ] + AdminAccounts(gate: gate).table
    }

    /// Answers `GET /admin/teams`.
    @Sendable func page(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.page(request, context, in: .teams) { try Self.page($0) }
    }

    /// Answers `POST /admin/teams`.
    @Sendable func add(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.action(
            request,
            context,
            in: .teams,
            atMost: Self.greatestForm,
        ) { visit, form in
            var draft = TeamsPage.Draft()
            draft.identifier = form["identifier"] ?? ""
            draft.name = form["name"] ?? ""
            draft.issuer = form["issuer"] ?? ""
            draft.keyID = form["keyID"] ?? ""
            return try Self.answer(visit, draft) {
                guard let identifier = TeamIdentifier(draft.identifier.uppercased()) else {
                    throw Problem(
                        form: "identifier",
                        "the team ID must be ten letters and digits",
                    )
                }
                let new = NewTeam(
                    identifier,
                    name: draft.name.isEmpty ? nil : draft.name,
                    identity: Self.upload(form),
                    profiles: form.files("profiles"),
                    apiKey: try Self.apiKey(form),
                )
                let added = try visit.perform(AddTeam(new))
                return "Team \(added.team.name) added." + Self.remark(added)
            }
        }
    }

    /// Answers `POST /admin/teams/{team}`.
    @Sendable func change(_ request: Request, _ context: RouteContext) async throws -> Response {
        let team = try context.text("team")
        return try await gate.action(
            request,
            context,
            in: .teams,
            atMost: Self.greatestForm,
        ) { visit, form in
            try Self.answer(visit, TeamsPage.Draft()) {
                let change = TeamChange(
                    identity: Self.upload(form),
                    profiles: form.files("profiles"),
                    apiKey: try Self.apiKey(form),
                )
                guard change.identity != nil || change.profiles != nil || change.apiKey != nil
                else {
                    throw Problem(form: "identity", "choose a certificate, profiles or an API key")
                }
                let changed = try visit.perform(ChangeTeam(team, change))
                return "Team \(changed.team.name) changed." + Self.remark(changed)
            }
        }
    }

    /// Answers `POST /admin/teams/{team}/remove`.
    @Sendable func remove(_ request: Request, _ context: RouteContext) async throws -> Response {
        let team = try context.text("team")
        return try await gate.action(request, context, in: .teams) { visit, _ in
            try Self.answer(visit, TeamsPage.Draft()) {
                let removed = try visit.perform(RemoveTeam(team)).team
                return
                    "Team \(removed.name) removed\(removed.secretWords.map { " with \($0)" } ?? "")."
            }
        }
    }

    /// Returns the page again with the problem, if the work is refused.
    private static func answer(
        _ visit: AdminRequest,
        _ draft: TeamsPage.Draft,
        _ work: () throws -> String,
    ) throws -> AdminOutcome {
        do {
            return .done(try work(), goingTo: visit.links.teams)
        } catch {
            // A key that cannot be sealed is a problem of the server, but shown here too.
            let unsealed = (error as? TeamRefusal) == .noKeyFile || error is KeyFileRefusal
            guard let problem = unsealed ? Problem(error) : Problem(ofForm: error) else {
                throw error
            }
            var draft = draft
            draft.problem = PageProblem(problem)
            return .again(try page(visit, draft), problem.kind.status)
        }
    }

    private static func upload(_ form: FormBody) -> IdentityUpload? {
        let passphrase = form["passphrase"].flatMap { $0.isEmpty ? nil : $0 }
        return form.files("identity").first.map {
            IdentityUpload(file: $0, passphrase: passphrase)
        }
    }

    /// Returns the API key; nil if no file was chosen.
    private static func apiKey(_ form: FormBody) throws -> APIKeyUpload? {
        let (issuer, typed) = (form["issuer"] ?? "", form["keyID"] ?? "")
        guard let file = form.files("apiKey").first else {
            guard issuer.isEmpty, typed.isEmpty else {
                throw Problem(form: "apiKey", "choose the file of the API key")
            }
            return nil
        }
        let named = form.fileNames("apiKey").first.flatMap { APIKeyUpload.keyID(inName: $0) }
        return APIKeyUpload(
            issuer: issuer,
            keyID: typed.isEmpty ? named ?? "" : typed,
            key: String(decoding: file, as: UTF8.self),
        )
    }

    private static func remark(_ document: TeamDocument) -> String {
        document.createdKeyFile.map { " Created the key file \($0): keep a copy of it elsewhere." }
            ?? ""
    }

    private static func page(
        _ visit: AdminRequest,
        _ draft: TeamsPage.Draft = TeamsPage.Draft(),
    ) throws -> TeamsPage {
        let apps = try visit.store.apps()
        let titles = Dictionary(
            uniqueKeysWithValues: apps.map { ($0.bundleIdentifier.rawValue, $0.title) }
        )
        let entries = try visit.perform(ListTeams()).teams.map { team in
            TeamsPage.Entry(
                identifier: team.identifier,
                name: team.name,
                certificate: team.identity?.commonName,
                end: team.identity?.expires,
                obstacle: team.obstacle(at: visit.now),
                apps: team.apps.map { titles[$0] ?? $0 },
                profiles: team.profiles.map { TeamsPage.Profile($0, at: visit.now) },
                account: team.account.map { TeamsPage.Account($0, of: team, visit) },
                links: visit.links,
                code: visit.formCode,
                at: visit.now,
            )
        }
        return TeamsPage(
            entries,
            draft: draft,
            hasKeyFile: visit.services.keyFile != nil,
            links: visit.links,
            admin: try visit.chrome(),
        )
    }
}

extension TeamsPage.Profile {
    fileprivate init(_ profile: TeamEntry.Profile, at date: Date) {
        let devices = profile.devices.map { Wording.count($0, "device") } ?? "any device"
        self.init(
            name: profile.name,
            facts: "\(profile.type.title), \(profile.bundleIdentifier), \(devices)",
            end: profile.expires,
            at: date,
        )
    }
}
