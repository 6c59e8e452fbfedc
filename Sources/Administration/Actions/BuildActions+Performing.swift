package import APIDocuments
import Identifiers
import MirrorBuilds
import Mirrors
import Releases
import Store

extension Actions {
    static let builds: [any PerformedAction.Type] = [
        ShowQueue.self, ListBuilds.self, StartBuild.self, ShowBuild.self, CancelBuild.self,
    ]
}

extension ShowQueue: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RunsDocument {
        let store = administration.admin.store
        let runs = try store.mirrors().mirrors.flatMap { mirror in
            try store.runs(of: mirror.name, count: RunQueue.limit * 2)
                .filter { !$0.state.isOver }
        }
        return RunsDocument(
            builds: try runs.sorted { ($0.queued, $0.number) < ($1.queued, $1.number) }
                .map(administration.admin.document)
        )
    }
}

extension ListBuilds: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RunsDocument {
        let store = administration.admin.store
        let mirror = try store.mirror(named: mirror)
        let numbers = try store.runNumbers(of: mirror.name).filter { after == 0 || $0 < after }
        let runs = try numbers.prefix(limit).compactMap { try store.run($0, of: mirror.name) }
        return RunsDocument(
            builds: try runs.map(administration.admin.document),
            next: numbers.count > limit ? runs.last?.number : nil,
        )
    }
}

extension StartBuild: WaitingAction {
    package func perform(in administration: LocalAdministration) async throws -> RunDocument {
        RunDocument(try await administration.queueBuild(of: mirror, content))
    }
}

extension ShowBuild: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RunDocument {
        try administration.admin.document(of: administration.run(build, of: mirror))
    }
}

extension CancelBuild: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> RunDocument {
        let admin = administration.admin
        let run = try administration.mirrorActions().cancelBuild(build, of: mirror)
        let (name, detail) = (run.mirror.rawValue, "build \(run.number)")
        try admin.store.record(
            admin.activity(.buildCancelled, name, detail: detail, at: admin.clock())
        )
        return RunDocument(run)
    }
}
