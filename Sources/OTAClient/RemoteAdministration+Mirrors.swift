import APIDocuments
package import Administration
import Foundation
package import MirrorBuilds

extension RemoteAdministration {
    package func mirrors() async throws -> MirrorsDocument {
        try await get(["mirrors"])
    }

    package func mirror(_ name: String) async throws -> MirrorDetailDocument {
        try await get(["mirrors", name])
    }

    package func addMirror(_ mirror: NewMirror) async throws -> MirrorEntryDocument {
        try await send(.post, ["mirrors"], mirror)
    }

    package func changeMirror(
        _ name: String,
        _ change: MirrorChangeRequest,
    ) async throws -> MirrorEntryDocument {
        try await send(.patch, ["mirrors", name], change)
    }

    package func removeMirror(_ name: String) async throws -> RemovedMirrorDocument {
        try await send(.delete, ["mirrors", name])
    }

    /// Asks the server to look at a repository; it does within a second, unless a build runs.
    package func lookAtMirror(_ name: String) async throws -> LookDocument {
        try await send(.post, ["mirrors", name, "sync"])
    }

    // MARK: Builds

    /// Queues a build; the server takes it up.
    package func startBuild(of name: String, _ build: BuildRequest) async throws -> RunDocument {
        try await send(.post, ["mirrors", name, "builds"], build)
    }

    package func build(_ number: Int, of mirror: String) async throws -> RunDocument {
        try await get(path(number, mirror))
    }

    package func waitingBuilds() async throws -> RunsDocument {
        try await get(["queue"])
    }

    package func cancelBuild(_ number: Int, of mirror: String) async throws -> RunDocument {
        try await send(.post, path(number, mirror) + ["cancel"])
    }

    package func log(
        of build: Int,
        _ mirror: String,
        from offset: Int,
    ) async throws -> LogPiece {
        let path = path(build, mirror) + ["log"]
        let request = ServerRequest(.get, Self.target(path, [("offset", "\(offset)")]))
        let answer = try await connection.answer(to: request)
        try check(answer)
        guard let isOver = answer["log-complete"] else {
            throw ServerFailure.notUnderstood(connection.url, status: answer.status)
        }
        return LogPiece(bytes: answer.body, isOver: isOver == "?1")
    }

    package func saveArtifact(
        _ path: String,
        of build: Int,
        _ mirror: String,
        to file: String,
    ) async throws -> Int {
        let target = Self.target(self.path(build, mirror) + ["artifact"], [("path", path)])
        let kept = try ReceivedFile(file)
        let answer = try await connection.answer(to: ServerRequest(.get, target)) { bytes in
            try kept.append(bytes)
        }
        try check(answer)
        return try kept.finish()
    }

    private func path(_ build: Int, _ mirror: String) -> [String] {
        ["mirrors", mirror, "builds", "\(build)"]
    }
}
