import APIDocuments
import Foundation

extension RemoteAdministration {
    /// Returns a build's log from an offset on, at most 1 MiB, and whether nothing will follow.
    package func log(
        of build: Int,
        _ mirror: String,
        from offset: Int,
    ) async throws -> (bytes: [UInt8], isOver: Bool) {
        let path = path(build, mirror) + ["log"]
        let request = ServerRequest(.get, Self.target(path, [("offset", "\(offset)")]))
        let answer = try await connection.answer(to: request)
        try check(answer)
        guard let isOver = answer["log-complete"] else {
            throw ServerFailure.notUnderstood(connection.url, status: answer.status)
        }
        return (answer.body, isOver == "?1")
    }

    /// Writes a file that a build has kept to a path.
    ///
    /// - Returns: the number of bytes.
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
