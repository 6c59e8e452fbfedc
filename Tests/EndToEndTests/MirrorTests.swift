import Bytes
import Cryptography
import Foundation
import GitRepositories
import Identifiers
import MirrorBuilds
import Mirrors
import Phone
import PropertyLists
import Releases
import Sample
import Store
import TestSupport
import Testing

/// From `git push` to the phone: a repository, a webhook, a build by the real program, an installation.
@Suite(.timeLimit(.minutes(10)))
struct MirrorTests {
    private static let secret = "0123456789abcdef0123456789abcdef"

    @Test func `a pushed tag is on the phone without another command`() async throws {
        try await LiveServer.run { server in
            let ota = try #require(Program(built: "ota"))
            let work = try await Self.repository(in: server, building: ota)
            try Self.follow(server.folder.appending(path: "upstream.git").path(), on: server.store)
            let name = try #require(Slug("browser-selector"))
            try await eventually(within: .seconds(60), "the first look") {
                try server.store.mirrorState(name).hasSynced
            }

            try await work.commit("Add a list of browsers")
            try await work.git("tag", "v1.2.0")
            try await work.git("push", "--quiet", "origin", "main", "v1.2.0")
            let body = "{\"ref\":\"refs/tags/v1.2.0\"}"
            #expect(try await Self.deliver(body, signedAs: body, to: server) == "202")
            #expect(try await Self.deliver(body, signedAs: body + " ", to: server) == "401")
            try await eventually(within: .seconds(120), "release 1.2.0") {
                try server.store.apps().first?.channels[.stable]?.rawValue == "1.2.0-2"
            }
            let runs = try server.store.runs(of: name, count: 10)
            #expect(runs.map(\.tag) == ["v1.2.0"])

            let app = try #require(try server.store.apps().first)
            let release = try #require(try server.store.release(on: .stable, of: app))
            #expect(release.notes == "- Add a list of browsers")
            let phone = try await server.phone()
            let bytes = try await phone.bytes(from: "\(server.base)/apps/\(app.slug)")
            #expect(SHA256Digest(of: bytes) == release.sha256)
            let installed = try InstalledApp(bytes)
            #expect(installed.info("CFBundleShortVersionString")?.string == "1.2.0")
            #expect(try installed.entitlement("com.apple.developer.web-browser")?.boolean == true)
            #expect(installed.info("LSApplicationQueriesSchemes")?.strings?.count == 21)

            // Delivering the same webhook again triggers no further build.
            #expect(try await Self.deliver(body, signedAs: body, to: server) == "202")
            #expect(try !server.store.mirrorState(name).isDue)
            #expect(try server.store.runNumbers(of: name).count == 1)
        }
    }

    /// A checkout whose pipeline makes the IPA with `ota sample`, and the bare repository to which it is
    /// pushed.
    private static func repository(
        in server: LiveServer,
        building ota: Program,
    ) async throws -> TestRepository {
        let upstream = server.folder.appending(path: "upstream.git")
        try FileManager.default.createDirectory(at: upstream, withIntermediateDirectories: true)
        try await TestRepository.git(["init", "--quiet", "--template=", "--bare"], in: upstream)
        let keys = server.folder.appending(path: "authority.pem")
        try Data(server.authority.privatePEM.utf8).write(to: keys)
        try server.store.changeSettings { $0.anchors = [server.authority.anchorPEM] }
        let work = try await TestRepository(at: server.folder.appending(path: "work"))
        try await work.git("remote", "add", "origin", upstream.path())
        try await work.commit(
            "Begin",
            [
                "ios/App.swift": "// the app\n",
                ".ota/pipeline.yml": """
                requires: ios
                steps:
                  - name: Archive
                    if: [tag, manual]
                    run: |
                      mkdir build
                      "\(ota.path)" sample --app browser-selector --version "$MARKETING_VERSION" \\
                        --build "$BUILD_NUMBER" --authority "\(keys.path())" \\
                        --output build/BrowserSelector.ipa
                artifacts:
                  - path: build/*.ipa
                    ifMissing: warn
                """,
            ],
        )
        try await work.git("tag", "v1.1.0")
        try await work.git("push", "--quiet", "origin", "main", "v1.1.0")
        return work
    }

    private static func follow(_ address: String, on store: OTAStore) throws {
        let name = try #require(Slug("browser-selector"))
        let now = Date()
        var mirror = Mirror(
            name: name,
            address: try MirrorAddress(checking: address, allowsFiles: true),
            added: now,
            by: "ana",
            tags: Mirror.defaultTags,
            branches: Mirror.defaultBranches,
        )
        mirror.interval = 3600
        try store.changeSecrets(of: name) { $0.hook = secret }
        try store.changeMirrors { try $0.add(mirror) }
    }

    /// Sends a webhook as GitHub does.
    ///
    /// - Returns: the response's status.
    private static func deliver(
        _ body: String,
        signedAs signed: String,
        to server: LiveServer,
    ) async throws -> String {
        let code = Hex.encode(
            authenticationCode(of: Array(signed.utf8), key: Array(secret.utf8))
        )
        let outcome = try await Program(path: "/usr/bin/curl").run(
            [
                "-sk", "-o", "/dev/null", "-w", "%{http_code}", "-X", "POST",
                "\(server.base)/hooks/browser-selector", "-H", "X-GitHub-Event: push",
                "-H", "Content-Type: application/json", "-H", "X-GitHub-Delivery: 1",
                "-H", "X-Hub-Signature-256: sha256=\(code)", "--data-binary", body,
            ],
            in: server.folder,
        )
        return outcome.output
    }
}
