import Foundation
import TestSupport
import Testing

/// A folder with a store, in which `ota mirror` follows repositories of a server.
struct RepositoryRoom {
    let folder: URL
    let ota: Program
    let work: TestRepository

    /// Creates a store without mirrors, and a repository `host/app.git` with a pipeline.
    init(in folder: URL) async throws {
        self.folder = folder
        ota = try #require(Program(built: "ota"))
        let upstream = folder.appending(path: "host/app.git")
        try FileManager.default.createDirectory(
            at: upstream,
            withIntermediateDirectories: true,
        )
        try await TestRepository.git(["init", "--quiet", "--template=", "--bare"], in: upstream)
        work = try await TestRepository(at: folder.appending(path: "work"))
        try await work.commit(
            "Begin",
            [
                ".ota/pipeline.yml":
                    "steps:\n  - run: cat .git/config; env; echo built; ls -A sub || true\n"
            ],
        )
        try await work.git("remote", "add", "origin", upstream.path())
        try await work.git("push", "--quiet", "origin", "main")
    }

    var host: URL { folder.appending(path: "host/") }

    func mirror(_ arguments: String...) async throws -> Program.Outcome {
        try await run(["mirror"] + arguments)
    }

    func run(
        _ arguments: [String],
        in environment: [String: String] = [:],
    ) async throws -> Program.Outcome {
        let all = environment.merging(["OTA_STORE": "./store"]) { $1 }
        return try await ota.run(arguments, environment: all, in: folder)
    }

    /// Every file in the store that contains one of the texts.
    func places(of texts: String...) throws -> Set<String> {
        let store = folder.appending(path: "store").path()
        var found: Set<String> = []
        for name in try FileManager.default.subpathsOfDirectory(atPath: store) {
            let file = URL(filePath: "\(store)/\(name)")
            guard let data = try? Data(contentsOf: file) else { continue }
            if texts.contains(where: { data.firstRange(of: Data($0.utf8)) != nil }) {
                found.insert(name)
            }
        }
        return found
    }
}
