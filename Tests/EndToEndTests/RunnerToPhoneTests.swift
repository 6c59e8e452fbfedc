import Bundles
import Cryptography
import Foundation
import Identifiers
import MirrorBuilds
import Phone
import PropertyLists
import Releases
import Sample
import Store
import TestSupport
import Testing

/// From `git push` of a tag to the phone without a command in between, with three processes: the server, the
/// runner's agent, and the stand-in for Xcode.
@Suite(.timeLimit(.minutes(10)))
struct RunnerToPhoneTests {
    private static let team = DevelopmentTeam.sample.identifier

    /// Runs a server and returns what it wrote to standard error.
    private static func served(_ body: (ServedStore) async throws -> Void) async throws -> String {
        let port = try FreePort.any()
        return try await ServedStore.run(
            "--port",
            "\(port)",
            "--base-url",
            "https://127.0.0.1:\(port)",
            "--trusted-ca",
            "anchor.pem",
            "--key-file",
            "key",
            believing: DeviceAuthority(),
            body,
        )
    }

    /// Waits for the end of a mirror's first build, and returns it.
    private static func build(of mirror: String, in store: OTAStore) async throws -> MirrorRun {
        let name = try #require(Slug(mirror))
        try await eventually(within: .seconds(120), "the build of \(mirror) is over") {
            try store.run(1, of: name)?.state.isOver == true
        }
        return try #require(try store.run(1, of: name))
    }

    private static func log(of run: MirrorRun, in store: OTAStore) throws -> String {
        String(decoding: try store.bytes(of: #require(run.log)), as: UTF8.self)
    }

    /// Checks that output of processes and builds contains no keys, tokens or devices.
    private static func expectDiscretion(of text: String, _ secrets: [String]) {
        for secret in secrets + ["PRIVATE KEY-----"] {
            #expect(!text.contains(secret))
        }
        #expect(!text.lowercased().contains(SampleDevices.one.lowercased()))
    }

    // MARK: Signed by the server

    /// Gives every app a mirror, and the team the profiles and the identity to sign all of them.
    private static func setUp(
        _ apps: [ShippedApp],
        on server: ServedStore,
    ) async throws -> [String: MirroredApp] {
        var repositories: [String: MirroredApp] = [:]
        for app in apps {
            var repository = repositories[app.repository]
            if repository == nil { repository = try await MirroredApp(app.repository, on: server) }
            repositories[app.repository] = repository
            try await repository?.work.commit("Begin \(app.scheme)", app.files())
        }
        for repository in repositories.values { try await repository.push("main") }
        for app in apps {
            try await repositories[app.repository]?.follow(
                as: app.mirror,
                with: [
                    "--interval", "10s", "--branch", "none", "--prefix", app.prefix,
                    "--pipeline-path", app.pipelinePath,
                ],
            )
        }
        let identity = Data(server.authority.distribution.pem.utf8)
        try identity.write(to: server.folder.appending(path: "identity.pem"))
        let profiles = try apps.flatMap {
            try $0.writeProfiles(by: server.authority, to: server.folder)
        }
        let added = try await server.program.run(
            [
                "teams", "add", team, "--identity", "identity.pem", "--key-file", "key",
                "--trusted-ca", "anchor.pem", "--store", "./store",
            ] + profiles.flatMap { ["--profile", $0] },
            in: server.folder,
        )
        try #require(added.status == 0, "\(added.errors)")
        for app in apps {
            let added = try await server.ota(
                "apps",
                "add",
                app.identifier,
                "--team",
                team,
                "--signing",
                "automatic",
            )
            try #require(added.status == 0, "\(added.errors)")
        }
        return repositories
    }

    @Test func `a pushed tag of each of the five apps is on the phone, built by a Mac`()
        async throws
    {
        var secrets: [String] = []
        let apps = ShippedApp.all
        let written = try await Self.served { server in
            let repositories = try await Self.setUp(apps, on: server)
            let runner = try await MacRunner(
                on: server,
                building: Dictionary(
                    uniqueKeysWithValues: apps.map { ($0.scheme, $0.sample) }
                ),
                for: apps.map(\.mirror),
            )
            defer { runner.agent.send(SIGKILL) }
            secrets.append(try runner.token)
            let admin = try await AdminBrowser(on: server)

            for (name, repository) in repositories {
                try await repository.work.commit("Start faster")
                for app in apps where app.repository == name { try await repository.push(app.tag) }
            }
            let store = try #require(try repositories.values.first?.store)
            for app in apps {
                let run = try await Self.build(of: app.mirror, in: store)
                let log = try Self.log(of: run, in: store)
                try #require(run.state == .succeeded, "\(log)")
                #expect(run.artifacts.map(\.outcome) == [.published, .kept], "\(log)")
                #expect(log.contains("for team \(Self.team)"), "\(log)")
                Self.expectDiscretion(of: log, secrets)
                let page = try await admin.build(1, of: app.mirror)
                #expect(page.contains("on mac-1") && page.contains("Archive"), "\(page)")
                let upstream = try #require(repositories[app.repository])
                try await Self.check(app, from: upstream, in: store, on: server)
            }
            #expect(try runner.leftovers() == [])
            try await runner.end()
            let said = await runner.agent.remainingLines().joined(separator: "\n")
            #expect(said.contains("steps done, files uploaded"))
            Self.expectDiscretion(of: said, secrets)
        }
        Self.expectDiscretion(of: written, secrets)
    }

    private struct Inspected: Decodable {
        struct Entitlement: Decodable {
            let key: String
            let claimed: String?
        }

        let entitlements: [Entitlement]
    }

    /// Checks that the release names its origin, and that the phone has the repository's version.
    private static func check(
        _ app: ShippedApp,
        from upstream: MirroredApp,
        in store: OTAStore,
        on server: ServedStore,
    ) async throws {
        let record = try #require(
            try store.apps().first { $0.bundleIdentifier.rawValue == app.identifier }
        )
        let release = try #require(try store.release(on: .stable, of: record))
        #expect(release.version == "1.2.3" && release.tag == app.tag)
        #expect(
            try await release.commit == upstream.work.git("rev-parse", app.tag + "^{commit}")
        )
        #expect(release.isBuiltHere == true && release.isSignedHere == true)
        #expect(release.origin?.pipeline == app.pipelinePath)
        // Signing keeps the program's UUID, so the dSYM in the archive belongs to the release.
        #expect(release.symbols?.files.map { $0.name.hasSuffix(".app.dSYM") } == [true])
        #expect(release.origin?.run == "urn:ota:mirror:\(app.mirror):run:1")

        let phone = try await server.phone {
            $0.udid = DeviceUDID(SampleDevices.one)
            $0.family = app.isForPads ? .pad : .phone
        }
        let bytes = try await phone.bytes(from: "\(server.base)/apps/\(record.slug)")
        #expect(SHA256Digest(of: bytes) == release.sha256)
        let installed = try InstalledApp(bytes)
        #expect(installed.info("CFBundleIdentifier")?.string == app.identifier)
        #expect(installed.info("CFBundleShortVersionString")?.string == "1.2.3")
        let bundles = installed.bundle.everyBundle.filter(\.kind.hasOwnProfile)
        #expect(bundles.count == app.parts.count)
        let device = try #require(DeviceUDID(SampleDevices.one))
        for bundle in bundles {
            #expect(try #require(bundle.profile).claims().devices == [device])
        }

        // An unsigned archive does not have the app's entitlements; they come from files in the repository.
        let file = "\(app.mirror).ipa"
        try Data(bytes).write(to: server.folder.appending(path: file))
        let told = try await server.json(
            "inspect",
            file,
            "--trusted-ca",
            "anchor.pem",
            as: Inspected.self,
        )
        let claimed = Set(told.entitlements.filter { $0.claimed != nil }.map(\.key))
        #expect(claimed.isSuperset(of: app.parts[0].claims.keys), "\(claimed)")
    }

    // MARK: Signed by the Mac, and not at all

    private static let model = """
        struct Model {
            #error("Model has no member named 'title'")
        }

        """

    @Test func `what the Mac signs is installed as it is, and what does not compile is explained`()
        async throws
    {
        let secrets = ["Y2VydGlmaWNhdGU=", "correct-horse-battery", "cHJvZmlsZQ=="]
        let written = try await Self.served { server in
            let signed = try await MirroredApp("signed", on: server)
            let broken = try await MirroredApp("broken", on: server)
            for (app, file) in [(signed, "signed.yml"), (broken, "xcode.yml")] {
                try await app.work.commit(
                    "Begin",
                    [
                        ".ota/pipeline.yml": RecipeRoom.recipes.text("pipelines/" + file),
                        "App.xcodeproj/project.pbxproj": "MARKETING_VERSION = 0.0.1;\n",
                        "ExportOptions.plist": """
                        <?xml version="1.0" encoding="UTF-8"?>
                        <plist version="1.0"><dict>
                        <key>method</key><string>release-testing</string>
                        </dict></plist>

                        """,
                    ],
                )
                try await app.push("main")
            }
            let variables = zip(["P12", "PASSWORD", "PROFILE"], secrets)
                .map { "SIGNING_\($0)=\($1)\n" }.joined()
            try Data(variables.utf8).write(to: server.folder.appending(path: "variables"))
            let often = ["--interval", "10s", "--branch", "none"]
            try await signed.follow(as: "signed", with: often + ["--secrets", "variables"])
            try await broken.follow(as: "broken", with: often)
            let runner = try await MacRunner(
                on: server,
                building: ["App": "sample"],
                for: ["signed", "broken"],
            )
            defer { runner.agent.send(SIGKILL) }

            try await broken.work.commit("Give models a title", ["App/Model.swift": Self.model])
            try await broken.push("v1.2.3")
            try await signed.work.commit("Start faster")
            try await signed.push("v1.2.3")
            let store = try signed.store
            let run = try await Self.build(of: "signed", in: store)
            let log = try Self.log(of: run, in: store)
            try #require(run.state == .succeeded, "\(log)")
            #expect(run.artifacts.map(\.outcome) == [.published], "\(log)")
            #expect(log.contains("-P *** -T /usr/bin/codesign"), "\(log)")
            #expect(log.contains("security delete-keychain"), "\(log)")
            Self.expectDiscretion(of: log, secrets)
            let record = try #require(try store.apps().first)
            let release = try #require(try store.release(on: .stable, of: record))
            #expect(release.tag == "v1.2.3" && release.isSignedHere != true)
            let phone = try await server.phone { $0.udid = DeviceUDID(SampleDevices.one) }
            let bytes = try await phone.bytes(from: "\(server.base)/apps/\(record.slug)")
            #expect(try InstalledApp(bytes).info("CFBundleShortVersionString")?.string == "1.2.3")

            let failed = try await Self.build(of: "broken", in: store)
            #expect(failed.state == .failed)
            let shown = try await server.ota("mirror", "show", "broken", "1").output
            let sentence = "App/Model.swift:2: Model has no member named 'title'"
            #expect(shown.contains(sentence), "\(shown)")
            let page = try await AdminBrowser(on: server).build(1, of: "broken")
            #expect(page.contains("App/Model.swift:2"), "\(page)")
            #expect(try runner.leftovers() == [])
            try await runner.end()
            let said = await runner.agent.remainingLines().joined(separator: "\n")
            Self.expectDiscretion(of: said, secrets + [try runner.token])
        }
        Self.expectDiscretion(of: written, secrets)
    }
}
