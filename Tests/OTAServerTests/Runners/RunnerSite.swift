import Access
import Cryptography
import Foundation
import Identifiers
import Mirrors
import OTAServer
import Runners
import Store
import Testing
import Uploads

/// A server with a waiting stage, and a runner that may take it.
struct RunnerSite: Sendable {
    let site: TestSite
    let mirror: Slug
    /// The token of the runner `one`.
    let token: String

    var store: OTAStore { site.store }

    static let machine =
        #"{"system": "Linux", "python": "3.11", "agent": "", "xcodes": [], "freeBytes": 1}"#

    static func run(
        configure: @escaping (inout ServerConfiguration, URL) throws -> Void = { _, _ in },
        _ body: @Sendable @escaping (RunnerSite) async throws -> Void,
    ) async throws {
        try await TestSite.run(configure: { configuration, folder in
            configuration.uploads.reserve = 0
            try configure(&configuration, folder)
        }) { site in
            let mirror = try #require(Slug("demo"))
            let token = try Self.register("one", for: [mirror], in: site.store)
            try await body(RunnerSite(site: site, mirror: mirror, token: token))
        }
    }

    /// Adds a registered runner.
    ///
    /// - Returns: its token.
    @discardableResult
    static func register(
        _ name: String,
        for mirrors: [Slug],
        labels: [String] = [],
        in store: OTAStore,
    ) throws -> String {
        let code = try add(name, for: mirrors, labels: labels, in: store)
        var token = ""
        try store.changeRunners {
            token = try $0.register(
                showing: code,
                as: name,
                on: try JSONDecoder().decode(RunnerMachine.self, from: Data(machine.utf8)),
                at: Date(),
                random: randomBytes,
            ).token.text
        }
        return token
    }

    /// Adds a runner that has yet to register.
    ///
    /// - Returns: its registration code.
    static func add(
        _ name: String,
        for mirrors: [Slug],
        labels: [String] = [],
        in store: OTAStore,
    ) throws -> String {
        var code = ""
        try store.changeRunners {
            code = try $0.add(
                try #require(Slug(name)),
                labels: try labels.map { try #require(RunnerLabel($0)) },
                mirrors: mirrors,
                at: Date(),
                by: "test",
                random: randomBytes,
            ).text
        }
        return code
    }

    @discardableResult
    func offer(
        _ build: Int = 1,
        wanting labels: [String] = [],
        commit: String = String(repeating: "c", count: 40),
        usesSecrets: Bool = false,
        isUntrusted: Bool = false,
        logBytes: Int = 1000,
        diskBytes: Int = 100_000,
        hasFiles: Bool = false,
    ) throws -> RunnerStage {
        var stage = RunnerStage(
            mirror: mirror,
            build: build,
            commit: commit,
            subject: "v1.0.0",
            labels: try labels.map { try #require(RunnerLabel($0)) },
            steps: [.init(index: 0, name: "Archive", run: "true", environment: ["A": "b"])],
            environment: ["CI": "true"],
            usesSecrets: usesSecrets,
            artifacts: ["*.ipa"],
            limits: .init(
                seconds: 60,
                logBytes: logBytes,
                fileBytes: 1000,
                diskBytes: diskBytes,
            ),
            hasFiles: hasFiles,
            logStart: 0,
            at: Date(),
        )
        if isUntrusted { stage.isUntrusted = true }
        try store.offer(stage)
        return stage
    }

    func stage(_ build: Int = 1) throws -> RunnerStage {
        try #require(try store.stage(of: build, mirror))
    }

    // MARK: Requests

    func send(
        _ method: String,
        _ path: String,
        _ body: [UInt8] = [],
        token: String? = nil,
        type: String = "application/json",
    ) async throws -> WireResponse {
        try await WireClient.secure(site) { client in
            var fields = ["Content-Length": "\(body.count)", "Content-Type": type]
            let token = token ?? self.token
            if !token.isEmpty { fields["Authorization"] = "Bearer \(token)" }
            try await client.send(
                UploadSite.head(method, "/api/v1/runner" + path, fields)
            )
            if !body.isEmpty { try? await client.send(body) }
            return try await client.response()
        }
    }

    func poll(wait: Int = 0, token: String? = nil) async throws -> WireResponse {
        let body = Array(#"{"machine": \#(Self.machine)}"#.utf8)
        return try await send("POST", "/poll?wait=\(wait)", body, token: token)
    }

    static func path(_ build: Int = 1, attempt: Int = 1) -> String {
        "/stages/demo/\(build)/\(attempt)"
    }

    func piece(
        _ file: String,
        _ bytes: [UInt8],
        at offset: Int,
        build: Int = 1,
        attempt: Int = 1,
        token: String? = nil,
    ) async throws -> WireResponse {
        try await send(
            "PATCH",
            Self.path(build, attempt: attempt) + "/\(file)?offset=\(offset)",
            bytes,
            token: token,
            type: "application/octet-stream",
        )
    }

    func beat(
        _ steps: String = "[]",
        build: Int = 1,
        attempt: Int = 1,
        token: String? = nil,
    ) async throws -> WireResponse {
        let body = Array(#"{"steps": \#(steps), "freeBytes": 1}"#.utf8)
        return try await send(
            "POST",
            Self.path(build, attempt: attempt) + "/beat",
            body,
            token: token,
        )
    }

    func finish(
        _ archive: [UInt8]?,
        saying digest: SHA256Digest? = nil,
        ending: String = "succeeded",
        build: Int = 1,
        attempt: Int = 1,
        token: String? = nil,
    ) async throws -> WireResponse {
        var body = #"{"ending": "\#(ending)", "steps": [{"index": 0, "state": "succeeded"}]"#
        if let archive {
            let digest = digest ?? SHA256Digest(of: archive)
            body += #", "archive": {"bytes": \#(archive.count), "sha256": "\#(digest)"}"#
        }
        return try await send(
            "POST",
            Self.path(build, attempt: attempt) + "/finish",
            Array((body + "}").utf8),
            token: token,
        )
    }

    func bytes(ofLog build: Int = 1, attempt: Int = 1) throws -> [UInt8] {
        let path = try MirrorFolders(of: store).stageLog(build, attempt: attempt, of: mirror)
        return Array((try? Data(contentsOf: URL(filePath: path))) ?? Data())
    }

    func bytes(ofArchive build: Int = 1, attempt: Int = 1) throws -> [UInt8]? {
        let path = try MirrorFolders(of: store).stageArchive(build, attempt: attempt, of: mirror)
        return (try? Data(contentsOf: URL(filePath: path))).map { Array($0) }
    }
}
