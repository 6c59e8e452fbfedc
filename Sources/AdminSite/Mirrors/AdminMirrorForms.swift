import APIDocuments
import Administration
import Bytes
import Foundation
import GitRepositories
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
import Versions

/// The forms that add, change, pause and remove a mirror.
struct AdminMirrorForms: Sendable {
    /// The most bytes of a form; the secrets are its longest part.
    private static let greatestForm = 256 << 10

    let gate: AdminGate

    /// The routes of the forms, relative to `/admin`.
    var table: AdminRoutes.Table {
        [Route("/mirrors/{mirror}/settings", [.get: settings, .post: change])]
            + MirrorButton.all.map { button in
                Route("/mirrors/{mirror}/\(button.verb)", [.post: press(button)])
            }
    }

    /// Answers `POST /admin/mirrors`: adds a mirror, and starts its first sync.
    @Sendable func add(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.action(
            request,
            context,
            in: .mirrors,
            atMost: Self.greatestForm,
        ) { visit, form in
            var draft = Self.draft(form)
            do {
                var settings = try Self.settings(of: draft)
                settings.address = Self.address(form)
                settings.secrets = try Self.secrets(form, isNew: true)
                let added = try visit.perform(
                    AddMirror(
                        NewMirror(
                            name: draft.name,
                            settings: settings,
                            allowPrivate: draft.allowsPrivate,
                        )
                    )
                ).mirror
                _ = try visit.perform(AskForSync(of: added.name))
                return .done(
                    "Mirror \(added.name) added. Its first sync has started.",
                    goingTo: "\(visit.links.mirrors)/\(added.name)",
                )
            } catch {
                guard let problem = Self.problem(error) else { throw error }
                draft.problem = PageProblem(problem)
                let page = try AdminMirrors.list(visit, draft)
                return .again(page, problem.kind.status)
            }
        }
    }

    /// Answers `GET /admin/mirrors/{mirror}/settings`.
    @Sendable func settings(_ request: Request, _ context: RouteContext) async throws -> Response {
        let name = try context.text("mirror")
        return try await gate.page(request, context, in: .mirrors) { visit in
            let mirror = try AdminMirrors.mirror(name, visit)
            return try Self.page(of: mirror, MirrorForm.Draft(mirror), visit)
        }
    }

    /// Answers `POST /admin/mirrors/{mirror}/settings`.
    @Sendable func change(_ request: Request, _ context: RouteContext) async throws -> Response {
        let name = try context.text("mirror")
        return try await gate.action(
            request,
            context,
            in: .mirrors,
            atMost: Self.greatestForm,
        ) { visit, form in
            let mirror = try AdminMirrors.mirror(name, visit)
            var draft = Self.draft(form)
            do {
                var settings = try Self.settings(of: draft)
                let before = MirrorForm.Draft(mirror)
                // The permission for private addresses can only be changed by sending the address too.
                let address = Self.address(form)
                let isElsewhere = address != before.address
                if isElsewhere || draft.allowsPrivate != before.allowsPrivate {
                    settings.address = address
                }
                settings.secrets = try Self.secrets(form, isNew: false)
                try visit.perform(
                    ChangeMirror(
                        name,
                        MirrorChangeRequest(
                            settings,
                            allowPrivate: settings.address == nil ? nil : draft.allowsPrivate,
                        ),
                    )
                )
                return .done(
                    "Mirror \(mirror.name) changed."
                        + (isElsewhere && !mirror.isPaused
                            ? " The first sync from the new address is due." : ""),
                    goingTo: visit.links.mirror(mirror.name),
                )
            } catch {
                guard let problem = Self.problem(error) else { throw error }
                draft.problem = PageProblem(problem)
                return .again(try Self.page(of: mirror, draft, visit), problem.kind.status)
            }
        }
    }

    private func press(_ button: MirrorButton) -> RouteHandler {
        { request, context in
            let name = try context.text("mirror")
            return try await gate.action(request, context, in: .mirrors) { visit, _ in
                let mirror = try AdminMirrors.mirror(name, visit)
                let (done, stays) = try button.press(visit, name)
                return .done(
                    done,
                    goingTo: stays ? visit.links.mirror(mirror.name) : visit.links.mirrors,
                )
            }
        }
    }

    // MARK: Parts

    private static func page(
        of mirror: Mirror,
        _ draft: MirrorForm.Draft,
        _ visit: AdminRequest,
    ) throws -> MirrorSettingsPage {
        let url = visit.links.mirror(mirror.name)
        let secrets = try visit.store.secrets(of: mirror.name)
        return MirrorSettingsPage(
            name: mirror.name.rawValue,
            mirrorURL: url,
            form: MirrorForm(
                draft,
                keeping: MirrorForm.Kept(
                    hasToken: secrets.passwords != nil,
                    hasHookSecret: secrets.hook != nil,
                    variables: secrets.variables.keys.sorted(),
                ),
                sentTo: url + "/settings",
                formCode: visit.formCode,
            ),
            admin: try visit.chrome(),
        )
    }

    private static func address(_ form: FormBody) -> String {
        (form["address"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Returns the form's input, without the secrets.
    private static func draft(_ form: FormBody) -> MirrorForm.Draft {
        func field(_ name: String) -> String {
            (form[name] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        }
        var draft = MirrorForm.Draft()
        draft.name = field("name")
        // A password in an address is refused, and must not appear on the page.
        let address = address(form)
        let isKnown = (try? MirrorAddress(checking: address)) != nil
        draft.address = isKnown || !address.containsBytes(of: "@") ? address : ""
        draft.branches = field("branches")
        draft.tags = field("tags")
        draft.apps = field("apps")
        draft.interval = Int(field("interval")) ?? -1
        draft.allowsPrivate = form["private"] != nil
        return draft
    }

    private static func settings(of draft: MirrorForm.Draft) throws -> MirrorChange {
        var change = MirrorChange()
        change.branches = try patterns(draft.branches, "branches")
        change.tags = try patterns(draft.tags, "tags")
        change.apps = draft.apps.isEmpty ? [.anything] : try patterns(draft.apps, "apps")
        change.interval = draft.interval
        return change
    }

    private static func patterns(
        _ text: String,
        _ field: String,
    ) throws(Problem) -> [ReferencePattern] {
        let parts = text.split { $0 == "," || $0.isWhitespace }
        guard !parts.isEmpty else {
            throw Problem(form: field, "the \(field) field is empty", fix: "enter * for all")
        }
        var patterns: [ReferencePattern] = []
        for part in parts {
            guard let pattern = ReferencePattern(String(part)) else {
                throw Problem(
                    form: field,
                    "“\(part)” is not a valid pattern for \(field)",
                    fix: "use letters, digits and any of . _ / + -, and * for any characters",
                )
            }
            patterns.append(pattern)
        }
        return patterns
    }

    /// Returns the changes of secrets; nil for none.
    private static func secrets(_ form: FormBody, isNew: Bool) throws -> MirrorSecretsChange? {
        var change = MirrorSecretsChange()
        func secret(_ name: String) -> String? {
            if !isNew, form["no-\(name)"] != nil { return "" }
            let text = (form[name] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
            return text.isEmpty ? nil : text
        }
        change.passwords = secret("token")
        change.hookSecret = secret("hook")
        if let text = secret("variables") { change.variables = try variables(text) }
        return change.isEmpty ? nil : change
    }

    /// Parses lines of `NAME=value`; empty lines and lines that begin with `#` are ignored.
    private static func variables(_ text: String) throws(Problem) -> [String: String] {
        var variables: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) where line.first != "#" {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                throw Problem(
                    form: "variables",
                    "a line of the secret variables is not NAME=value",
                    fix: "enter all variables again, one NAME=value per line",
                )
            }
            variables[parts[0].trimmingCharacters(in: .whitespaces)] = String(parts[1])
        }
        return variables
    }

    /// Returns the problem as the form shows it; the fix for an address with a password suits a browser.
    private static func problem(_ error: any Error) -> Problem? {
        guard let problem = Problem(ofForm: error) else { return nil }
        guard case AddressFlaw.password = error else { return problem }
        return Problem(
            id: problem.id,
            kind: problem.kind,
            message: problem.message,
            place: problem.place,
            fix: "leave it out of the address, and enter an access token instead",
        )
    }
}

extension MirrorForm.Draft {
    /// Fills in a mirror's current settings.
    fileprivate init(_ mirror: Mirror) {
        self.init()
        name = mirror.name.rawValue
        address = mirror.address.description
        branches = mirror.branches.map(\.description).joined(separator: ", ")
        tags = mirror.tags.map(\.description).joined(separator: ", ")
        apps = (mirror.apps ?? []).map(\.description).joined(separator: ", ")
        interval = mirror.interval ?? 0
        allowsPrivate = mirror.isPublicOnly != true
    }
}
