import SiteServices
import APIDocuments
import Access
import Administration
import Foundation
import GitRepositories
import HTTPServing
import HTTPTypes
import Hummingbird
import Identifiers
import MirrorBuilds
import Mirrors
import Pages
import Problems
import Releases
import Store
import Versions

/// The pages of mirrors, and what an admin does on them.
struct AdminMirrors: Sendable {
    let gate: AdminGate

    private static let shownBuilds = 50
    private static let shownTags = 20
    /// Bytes of a log's end that its page has.
    private static let shownLog = 64 << 10

    @Sendable func list(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.page(request, context, in: .mirrors) { visit in
            let rows = try visit.store.mirrors().mirrors.map { mirror in
                let following = try visit.store.mirrorState(mirror.name)
                let runs = try visit.store.runs(of: mirror.name, count: 20)
                let waiting = runs.count { $0.state == .queued }
                return MirrorsPage.Row(
                    name: mirror.name.rawValue,
                    url: visit.links.mirror(mirror.name),
                    address: mirror.address.description,
                    looked: looked(mirror, following, at: visit.now),
                    isFailing: following.problem != nil,
                    latest: runs.first.map { $0.line(visit) },
                    waiting: waiting > 0
                        ? Wording.count(waiting, "build waits", "builds wait") : nil,
                )
            }
            return MirrorsPage(rows: rows, admin: try visit.chrome())
        }
    }

    @Sendable func page(_ request: Request, _ context: RouteContext) async throws -> Response {
        let name = try context.text("mirror")
        return try await gate.page(request, context, in: .mirrors) { visit in
            let mirror = try Self.mirror(name, visit)
            let following = try visit.store.mirrorState(mirror.name)
            return MirrorPage(
                name: mirror.name.rawValue,
                address: mirror.address.description,
                facts: try facts(mirror, following, visit),
                problem: following.problem,
                notices: paused(mirror) + notices(following),
                builds: try visit.store.runs(of: mirror.name, count: Self.shownBuilds)
                    .map { $0.line(visit) },
                actions: mirror.isPaused
                    ? nil
                    : MirrorPage.Actions(
                        formCode: visit.formCode,
                        lookURL: visit.links.look(at: mirror.name),
                        buildURL: visit.links.builds(of: mirror.name),
                    ),
                admin: try visit.chrome(),
            )
        }
    }

    @Sendable func buildPage(_ request: Request, _ context: RouteContext) async throws -> Response {
        let name = try context.text("mirror")
        let number = try Self.number(context)
        return try await gate.page(request, context, in: .mirrors) { visit in
            let mirror = try Self.mirror(name, visit)
            guard let run = try visit.store.run(number, of: mirror.name) else {
                throw Refusal.notFound
            }
            let log = try log(of: run, visit)
            return BuildPage(
                mirror: mirror.name.rawValue,
                mirrorURL: visit.links.mirror(mirror.name),
                build: run.line(visit),
                commit: String(run.commit.prefix(12)),
                steps: run.steps.map(\.line),
                artifacts: run.artifacts.enumerated().map { index, artifact in
                    artifact.line(
                        visit.links.file(index + 1, ofBuild: number, of: mirror.name)
                    )
                },
                log: log.text,
                isLogCut: log.isCut,
                cancel: run.state.isOver
                    ? nil
                    : BuildPage.Cancel(
                        formCode: visit.formCode,
                        url: visit.links.cancel(number, of: mirror.name),
                    ),
                admin: try visit.chrome(),
            )
        }
    }

    // MARK: Actions

    @Sendable func look(_ request: Request, _ context: RouteContext) async throws -> Response {
        let name = try context.text("mirror")
        return try await gate.action(request, context, in: .mirrors) { visit, _ in
            let mirror = try Self.mirror(name, visit)
            _ = try visit.perform(AskForSync(of: name))
            return .done(
                "Sync started.",
                goingTo: visit.links.mirror(mirror.name),
            )
        }
    }

    @Sendable func build(_ request: Request, _ context: RouteContext) async throws -> Response {
        let name = try context.text("mirror")
        return try await gate.action(
            request,
            context,
            in: .mirrors,
            preparing: { visit, form in try await Self.queued(form, of: name, visit) },
        ) { visit, _, run in
            let words =
                ["Build \(run.number) is queued."]
                + run.warnings.map { Wording.sentence($0) }
            return .done(
                words.joined(separator: " "),
                goingTo: visit.links.build(run.number, of: run.mirror),
            )
        }
    }

    /// Seconds that a page waits for the repository.
    private static let syncTime = 30

    /// Syncs the mirror first, as the command does.
    private static func queued(
        _ form: FormBody,
        of name: String,
        _ visit: AdminRequest,
    ) async throws -> MirrorRun {
        func field(_ name: String) -> String? {
            let text = form[name]?.trimmingCharacters(in: .whitespaces)
            return text?.isEmpty == true ? nil : text
        }
        let seen = form["rebuild"]
        let request = BuildRequest(
            tag: field("tag"),
            branch: field("branch"),
            rebuild: seen.map { _ in true },
        )
        _ = try Self.mirror(name, visit)
        return try await visit.administration.queueBuild(
            of: name,
            request,
            seen: seen,
            syncingWithin: syncTime,
        )
    }

    @Sendable func cancel(_ request: Request, _ context: RouteContext) async throws -> Response {
        let name = try context.text("mirror")
        let number = try Self.number(context)
        return try await gate.action(request, context, in: .mirrors) { visit, _ in
            let mirror = try Self.mirror(name, visit)
            _ = try visit.perform(CancelBuild(number, of: name))
            return .done(
                "Cancelling the build.",
                goingTo: visit.links.build(number, of: mirror.name),
            )
        }
    }

    // MARK: Parts

    private static func mirror(_ name: String, _ visit: AdminRequest) throws -> Mirror {
        try mirror(name, in: visit.store)
    }

    static func mirror(_ name: String, in store: OTAStore) throws -> Mirror {
        guard let slug = Slug(name), let mirror = try store.mirrors()[slug] else {
            throw Refusal.notFound
        }
        return mirror
    }

    static func number(_ context: RouteContext) throws(Refusal) -> Int {
        guard let number = Int(try context.text("build")), number > 0 else { throw .notFound }
        return number
    }

    private func looked(_ mirror: Mirror, _ following: MirrorState, at now: Date) -> String {
        if mirror.isPaused { return "paused" }
        guard let date = following.synced else { return "not synced yet" }
        let when = Wording.ago(date, at: now)
        return following.problem.map { "sync failed \(when): \($0)" } ?? "synced \(when)"
    }

    private func paused(_ mirror: Mirror) -> [MirrorPage.Notice] {
        do throws(MirrorRefusal) {
            try mirror.checkInUse()
            return []
        } catch {
            return [
                MirrorPage.Notice(
                    Wording.sentence("\(error)") + " " + Wording.sentence(error.fix)
                )
            ]
        }
    }

    /// Tags that moved, until somebody decides, and those that the last sync has missed.
    private func notices(_ following: MirrorState) -> [MirrorPage.Notice] {
        let moved = MovedTag.all(of: following).prefix(Self.shownTags).map { tag in
            MirrorPage.Notice(
                "The tag \(tag.tag) has moved from \(tag.from.prefix(10)) to "
                    + "\(tag.to.prefix(10)). The server does not build it, so that testers keep "
                    + "what they have under that version. Tag a later version, or build this tag "
                    + "again and replace its release.",
                rebuilds: .init(tag: tag.tag, commit: tag.to),
            )
        }
        let gone = (following.report?.changes ?? []).filter { $0.isTag && $0.kind == .deleted }
        return moved
            + gone.prefix(Self.shownTags).map {
                MirrorPage.Notice(
                    "The tag \($0.name) was deleted; it pointed to \(($0.from ?? "").prefix(10))."
                )
            }
    }

    private func facts(
        _ mirror: Mirror,
        _ following: MirrorState,
        _ visit: AdminRequest,
    ) throws -> [MirrorPage.Fact] {
        let secrets = try visit.store.secrets(of: mirror.name)
        let names = secrets.variables.keys.sorted().joined(separator: ", ")
        let credentials = CredentialDocument.all(of: secrets).map(\.words).joined(separator: ", ")
        let looks =
            [mirror.interval.map { "every \($0) seconds" }, secrets.hook.map { _ in "by webhook" }]
            .compactMap(\.self).joined(separator: " and ")
        return [
            .init(
                "Last synced",
                following.synced.map { Wording.ago($0, at: visit.now) } ?? "not yet",
            ),
            .init("Syncs", looks.isEmpty ? "only on demand" : looks),
            .init("Tags", mirror.tags.map(\.description).joined(separator: ", ")),
            .init("Branches", mirror.branches.map(\.description).joined(separator: ", ")),
            .init("Prefix", mirror.prefix ?? "none"),
            .init("Apps", mirror.apps?.map(\.description).joined(separator: ", ") ?? "any"),
            .init("Pipeline", mirror.pipeline == nil ? mirror.pipelinePath : "set by an admin"),
            .init("Runs as", mirror.user ?? "the server's user"),
            .init("Isolation", mirror.isolation.rawValue),
            .init("Fetches with", credentials.isEmpty ? "no credential" : credentials),
            .init("Secrets", names.isEmpty ? "none" : names),
        ]
    }

    private func log(
        of run: MirrorRun,
        _ visit: AdminRequest,
    ) throws -> (text: String, isCut: Bool) {
        guard let folders = try? MirrorFolders(of: visit.store) else { return ("", false) }
        let tail = try LogReader(of: run, in: visit.store, folders).tail(atMost: Self.shownLog)
        return (String(decoding: tail.bytes, as: UTF8.self), tail.isCut)
    }
}
