import Bundles
import Bytes
import Cryptography
import Foundation
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

/// From `git push` to the phone; the server is a process, and no command is run.
@Suite(.timeLimit(.minutes(10)))
struct PushToPhoneTests {
    private static let secret = "fedcba9876543210fedcba9876543210"

    private static func served(
        _ body: (ServedStore) async throws -> Void
    ) async throws {
        _ = try await ServedStore.run(
            "--trusted-ca",
            "anchor.pem",
            believing: DeviceAuthority(),
            body,
        )
    }

    @Test func `tags, a pre-release, a commit and a build by hand each land where they belong`()
        async throws
    {
        try await Self.served { server in
            let app = try await MirroredApp("browsey", on: server)
            try await app.work.commit(
                "Begin",
                [
                    ".ota/pipeline.yml": """
                    steps:
                      - name: Archive
                        run: |
                          \(app.compile("browsey", to: "made.ipa"))
                          sh archive.sh made.ipa build/Browsey.xcarchive
                    artifacts:
                      - path: build/*.xcarchive
                        ifMissing: error
                    """
                ],
            )
            try await app.push("main", "v1.1.0")
            try Data(Self.secret.utf8).write(to: server.folder.appending(path: "hook.secret"))
            try await app.follow(
                as: "browsey",
                "--interval",
                "10s",
                "--hook-secret-file",
                "hook.secret",
            )

            // Triggered by a webhook.
            try await app.work.commit("Scan two codes at once")
            try await app.work.commit("Keep the torch on")
            try await app.push("v1.2.0")
            #expect(try await Self.deliver("{\"forged\":1}", signedAs: "{}", to: server) == "401")
            #expect(
                try await Self.deliver("{\"ref\":1}", signedAs: "{\"ref\":1}", to: server) == "202"
            )
            let (record, release) = try await app.release("1.2.0-3", on: "stable")
            #expect(release.tag == "v1.2.0")
            #expect(release.notes == "- Keep the torch on\n- Scan two codes at once")
            #expect(release.publisher == "mirror browsey")
            let page = "\(server.base)/apps/\(record.slug)"
            let phone = try await server.phone()
            let shown = try await Browser(like: phone).get(page).text
            #expect(shown.contains("1.2.0") && shown.contains("Keep the torch on"))
            #expect(!shown.contains("Begin"))
            let bytes = try await phone.bytes(from: page)
            #expect(SHA256Digest(of: bytes) == release.sha256)
            #expect(try InstalledApp(bytes).info("CFBundleShortVersionString")?.string == "1.2.0")

            // From here on, only scheduled syncs.
            try await app.push("v1.3.0-beta.1")
            let (_, beta) = try await app.release("1.3.0-3", on: "beta")
            let tested = try await phone.bytes(from: page + "?channel=beta")
            #expect(SHA256Digest(of: tested) == beta.sha256)

            try await app.work.commit("Go on")
            try await app.push("main")
            let (_, dev) = try await app.release("1.3.0-4", on: "dev")
            let tip = try await app.work.git("rev-parse", "main")
            #expect(dev.tag == nil && dev.commit == tip)

            // The earlier channels are unchanged; the server builds what the command requests.
            let asked = try await server.ota(
                "mirror",
                "build",
                "browsey",
                "--branch",
                "main",
                "--tag",
                "v2.0.0",
                "--queue-only",
            )
            #expect(asked.status == 0, "\(asked.errors)")
            let (after, named) = try await app.release("2.0.0-4", on: "stable")
            #expect(named.tag == "v2.0.0")
            #expect(after.channels[try #require(ChannelName("beta"))]?.rawValue == "1.3.0-3")

            // A moved tag is reported, and the release that testers have is kept.
            try await app.work.git("tag", "--force", "v1.2.0", "main")
            try await app.work.git("push", "--quiet", "--force", "origin", "v1.2.0")
            let store = try app.store
            try await eventually(within: .seconds(60), "the moved tag is said") {
                try store.activity(count: 20).contains { activity in
                    activity.event == .tagRefused
                        && activity.detail?.contains("v1.2.0 was moved from commit") == true
                }
            }
            let kept = try #require(
                try store.release(release.identifier, of: record.bundleIdentifier)
            )
            #expect(kept.sha256 == release.sha256)
            #expect(try app.runs().count == 4)
        }
    }

    @Test func `BrowserSelector's job runs from its tags up to a phone`() async throws {
        try await Self.served { server in
            let app = try await MirroredApp("browser-selector", on: server)
            try await app.work.commit("Begin")
            try await app.push("main", "v1.1.0")
            try await app.follow(as: "browser-selector", "--interval", "10s")
            try await app.work.commit(
                "Add the app",
                [
                    "ios/App.swift": "// the app\n",
                    ".ota/pipeline.yml": """
                    name: BrowserSelector
                    requires: ios
                    steps:
                      - name: Version
                        run: echo "TAG=$TAG VERSION=$VERSION"
                      - name: Build
                        working-directory: ios
                        run: cp App.swift App.o
                      - name: Test
                        working-directory: ios
                        run: test -s App.o
                      - name: Archive
                        if: [tag, manual]
                        run: |
                          \(app.compile("browser-selector", to: "made.ipa"))
                          sh archive.sh made.ipa build/BrowserSelector.xcarchive unsigned
                          sh archive.sh made.ipa signed/BrowserSelector.xcarchive
                          "\(server.program.path)" package signed/BrowserSelector.xcarchive \\
                            --output build/BrowserSelector.ipa
                    artifacts:
                      - path: build/*.xcarchive
                        ifMissing: warn
                      - path: build/*.ipa
                        ifMissing: warn
                    """,
                ],
            )
            try await app.push("main")
            let name = try #require(Slug("browser-selector"))
            let store = try app.store
            try await eventually(within: .seconds(60), "the branch is built") {
                try store.run(1, of: name)?.state.isOver == true
            }
            let branch = try #require(try store.run(1, of: name))
            #expect(branch.state == .succeeded && branch.version == "dev", "\(branch)")
            #expect(branch.steps.map(\.state) == [.succeeded, .succeeded, .succeeded, .skipped])
            #expect(branch.artifacts.map(\.outcome) == [.missing, .missing])
            let said = try await server.ota("mirror", "logs", "browser-selector", "1").output
            #expect(said.contains("TAG=dev VERSION=dev\n"))
            #expect(said.contains("warning: no file matches build/*.ipa"))

            try await app.push("v1.2.0")
            let (record, release) = try await app.release("1.2.0-2", on: "stable")
            try await eventually(within: .seconds(30), "the build has ended") {
                try store.run(2, of: name)?.state.isOver == true
            }
            let tagged = try #require(try store.run(2, of: name))
            #expect(tagged.state == .succeeded, "\(tagged)")
            #expect(tagged.artifacts.map(\.outcome) == [.notInstallable, .published])
            let shown = try await server.ota("mirror", "show", "browser-selector", "2").output
            #expect(shown.contains("kept, not installable: the app is not signed"), "\(shown)")

            let phone = try await server.phone()
            let bytes = try await phone.bytes(from: "\(server.base)/apps/\(record.slug)")
            #expect(SHA256Digest(of: bytes) == release.sha256)
            let installed = try InstalledApp(bytes)
            #expect(installed.info("CFBundleShortVersionString")?.string == "1.2.0")
            #expect(
                installed.info("LSApplicationQueriesSchemes")?.strings == SampleApps.browserSchemes
            )
            #expect(try installed.entitlement("com.apple.developer.web-browser")?.boolean == true)

            // The archive that was kept unsigned cannot be installed, and says so.
            let saved = try await server.ota(
                "mirror",
                "artifact",
                "browser-selector",
                "2",
                "build/BrowserSelector.xcarchive",
                "--output",
                "kept.zip",
            )
            #expect(saved.status == 0, "\(saved.errors)")
            let unpacked = try await Program(path: "/usr/bin/unzip").run(
                ["-q", "kept.zip"],
                in: server.folder,
            )
            #expect(unpacked.status == 0)
            let packed = try await server.ota("package", "BrowserSelector.xcarchive")
            #expect((packed.output + packed.errors).contains("not signed"), "\(packed)")
        }
    }

    @Test func `Browsey and SimBridge of one repository are built by their own tags`() async throws
    {
        try await Self.served { server in
            let app = try await MirroredApp("monorepo", on: server)
            for (name, sample) in [("browsey", "browsey"), ("simbridge", "simbridge-client")] {
                try app.work.write(
                    """
                    requires: \(name)
                    steps:
                      - run: |
                          test "$PWD" = "$OTA_WORKSPACE/\(name)"
                          \(app.compile(sample, to: "App.ipa"))
                        working-directory: \(name)
                    artifacts:
                      - path: \(name)/*.ipa
                        ifMissing: error

                    """,
                    to: "\(name)/.ota/pipeline.yml",
                )
            }
            try await app.work.commit("Begin")
            try await app.push("main", "browsey/v1.0.0", "simbridge/v2.9.0")
            for name in ["browsey", "simbridge"] {
                try await app.follow(
                    as: name,
                    "--prefix",
                    "\(name)/",
                    "--pipeline-path",
                    "\(name)/.ota/pipeline.yml",
                    "--interval",
                    "10s",
                    "--branch",
                    "none",
                )
            }
            try await app.work.commit("Pair faster")
            try await app.push("browsey/v1.1.0", "simbridge/v3.0.0-beta.2")
            let (browsey, release) = try await app.release("1.1.0-2", on: "stable")
            let (client, beta) = try await app.release("3.0.0-2", on: "beta")
            #expect(browsey.bundleIdentifier.rawValue == "com.vforsh.browsey")
            #expect(client.bundleIdentifier.rawValue == "com.example.simbridge.client")
            #expect(release.tag == "browsey/v1.1.0" && beta.tag == "simbridge/v3.0.0-beta.2")
            #expect(release.notes == "- Pair faster")
            let phone = try await server.phone()
            let first = try await phone.bytes(from: "\(server.base)/apps/\(browsey.slug)")
            #expect(SHA256Digest(of: first) == release.sha256)
            let second = try await phone.bytes(
                from: "\(server.base)/apps/\(client.slug)?channel=beta"
            )
            #expect(SHA256Digest(of: second) == beta.sha256)
            #expect(try app.runs().count == 2)
        }
    }
}

extension PushToPhoneTests {
    /// Sends a webhook in the plain form.
    ///
    /// - Returns: the response's status.
    private static func deliver(
        _ body: String,
        signedAs signed: String,
        to server: ServedStore,
    ) async throws -> String {
        let code = Hex.encode(authenticationCode(of: Array(signed.utf8), key: Array(secret.utf8)))
        let outcome = try await Program(path: "/usr/bin/curl").run(
            [
                "-sk", "-o", "/dev/null", "-w", "%{http_code}", "\(server.base)/hooks/browsey",
                "-H", "X-Ota-Signature: sha256=\(code)", "--data-binary", body,
            ],
            in: server.folder,
        )
        return outcome.output
    }
}
