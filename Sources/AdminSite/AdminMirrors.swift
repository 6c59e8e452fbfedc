import GitRepositories
import HTTPServing
import Hummingbird
import Identifiers
import MirrorBuilds
import Mirrors
import Pages
import Problems
import Releases
import SiteServices
import Store
import Versions

/// The pages of mirrors, and their forms.
struct AdminMirrors: Sendable {
    let gate: AdminGate

    private static let shownBuilds = 50
    /// Bytes of the end of a log that its page shows.
    private static let shownLog = 64 << 10

    @Sendable func list(_ request: Request, _ context: RouteContext) async throws -> Response {
        try await gate.page(request, context, in: .mirrors) { try Self.list($0) }
    }

    /// Returns the page of all mirrors; `draft` is the input of the form that adds a repository.
    static func list(
        _ visit: AdminRequest,
        _ draft: MirrorForm.Draft = MirrorForm.Draft(),
    ) throws -> MirrorsPage {
        let rows = try visit.store.mirrors().mirrors.map { mirror in
            let state = try visit.store.mirrorState(mirror.name)
            let runs = try visit.store.runs(of: mirror.name, count: 20)
            let waiting = runs.count { $0.state == .queued }
            return MirrorsPage.Row(
                name: mirror.name.rawValue,
                url: visit.links.mirror(mirror.name),
                address: mirror.address.description,
                syncStatus: state.syncStatus(mirror, at: visit.now),
                isFailing: state.problem != nil,
                latest: runs.first.map { $0.line(visit) },
                waiting: waiting > 0
                    ? Wording.count(waiting, "build waits", "builds wait") : nil,
            )
        }
        return MirrorsPage(
            rows: rows,
            runnersURL: visit.links.runners,
            form: MirrorForm(
                draft,
                keeping: nil,
                sentTo: visit.links.mirrors,
                formCode: visit.formCode,
            ),
            admin: try visit.chrome(),
        )
    }

    @Sendable func page(_ request: Request, _ context: RouteContext) async throws -> Response {
        let name = try context.text("mirror")
        return try await gate.page(request, context, in: .mirrors) { visit in
            try Self.page(of: Self.mirror(name, visit), visit)
        }
    }

    /// Returns the page of one mirror; `typed` is the input of a build that was refused, nil otherwise.
    static func page(
        of mirror: Mirror,
        building typed: MirrorPage.Typed? = nil,
        _ visit: AdminRequest,
    ) throws -> MirrorPage {
        let state = try visit.store.mirrorState(mirror.name)
        return MirrorPage(
            name: mirror.name.rawValue,
            address: mirror.address.description,
            facts: try state.facts(mirror, visit),
            problem: state.problem,
            notices: mirror.pauseNotices + state.notices,
            builds: try visit.store.runs(of: mirror.name, count: shownBuilds)
                .map { $0.line(visit) },
            emptiness: mirror.emptiness(state),
            actions: mirror.isPaused
                ? nil
                : MirrorPage.Actions(
                    formCode: visit.formCode,
                    syncURL: visit.links.sync(mirror.name),
                    buildURL: visit.links.builds(of: mirror.name),
                    typed: typed,
                ),
            mirrorsURL: visit.links.mirrors,
            settingsURL: visit.links.mirror(mirror.name) + "/settings",
            buttons: MirrorButton.all.filter { $0.isOffered(mirror) }.map {
                ActionButton($0, of: mirror, visit)
            },
            admin: try visit.chrome(),
        )
    }

    @Sendable func buildPage(_ request: Request, _ context: RouteContext) async throws -> Response {
        let name = try context.text("mirror")
        let number = try context.number("build")
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
                commit: run.commit.shortCommit,
                issues: (run.issues ?? []).map(\.line),
                steps: run.steps.map(\.line),
                artifacts: run.artifacts.enumerated().map { index, artifact in
                    artifact.line(
                        visit.links.file(index + 1, ofBuild: number, of: mirror.name)
                    )
                },
                log: log.text,
                isLogCut: log.isCut,
                logURL: visit.links.buildLog(number, of: mirror.name),
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

    // MARK: Parts

    static func mirror(_ name: String, _ visit: AdminRequest) throws -> Mirror {
        try mirror(name, in: visit.store)
    }

    static func mirror(_ name: String, in store: OTAStore) throws -> Mirror {
        guard let slug = Slug(name), let mirror = try store.mirrors()[slug] else {
            throw Refusal.notFound
        }
        return mirror
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
