import Bundles
import Bytes
import Foundation
import Identifiers
import Inspection
import MirrorBuilds
import Mirrors
import Phone
import PropertyLists
import Releases
import Sample
import Store
import TestSupport
import Testing

/// Pare: its version and identifier are in `project.yml` and two `.xcconfig` files, and a build for testers
/// must not allow arbitrary loads.
@Suite(.timeLimit(.minutes(10)))
struct PareMirrorTests {
    private static let project = [
        "project.yml": """
        name: Pare
        configFiles: {Debug: Config/Debug.xcconfig, Release: Config/Release.xcconfig}
        targets:
          Pare:
            type: application
            platform: iOS
            settings:
              configs:
                Debug: {PRODUCT_BUNDLE_IDENTIFIER: $(APP_IDENTIFIER).debug}
                Release: {PRODUCT_BUNDLE_IDENTIFIER: $(APP_IDENTIFIER)}
        """,
        "Config/Debug.xcconfig": """
        #include "Release.xcconfig"
        API_ADDRESS = http:/$()/localhost:8080
        """,
        "Config/Release.xcconfig": """
        MARKETING_VERSION = 2.3.1
        CURRENT_PROJECT_VERSION = 231
        APP_IDENTIFIER = com.OptimusCashLLC.pare
        API_ADDRESS = https:/$()/api.pare.example
        #include? "Version.xcconfig"
        """,
    ]

    /// A prebuilt file, if there is one, replaces what Xcode would have compiled.
    private static func pipeline(_ app: MirroredApp) -> String {
        """
        steps:
          - name: Version
            if: tag
            run: |
              "\(app.server.program.path)" version --tag "$TAG" \\
                --xcconfig Config/Version.xcconfig --check-project project.yml --json > version.json
              grep '"bundleIdentifier" *: *"com.OptimusCashLLC.pare"' version.json
          - name: Archive
            run: |
              made="\(app.server.folder.path())$MARKETING_VERSION-$BUILD_NUMBER.ipa"
              if [ -e "$made" ]; then cp "$made" Pare.ipa; else
                \(app.compile("pare", to: "Pare.ipa"))
              fi
        artifacts:
          - path: Pare.ipa
            ifMissing: error
        """
    }

    @Test func `Pare's tags are built as they say, and its transport security is told apart`()
        async throws
    {
        _ = try await ServedStore.run("--trusted-ca", "anchor.pem", believing: DeviceAuthority()) {
            server in
            let app = try await MirroredApp("pare", on: server)
            let pipeline = Self.pipeline(app)
            try await app.work.commit(
                "Begin",
                Self.project.merging([".ota/pipeline.yml": pipeline]) { $1 },
            )
            try await app.push("main")
            try await app.follow(as: "pare", "--interval", "10s")

            try await app.work.commit("Settle")
            try await app.push("v2.4.0")
            let (record, release) = try await app.release("2.4.0-2", on: "stable")
            #expect(record.bundleIdentifier.rawValue == "com.OptimusCashLLC.pare")
            let phone = try await server.phone { $0.family = .pad }
            let bytes = try await phone.bytes(from: "\(server.base)/apps/\(record.slug)")
            #expect(try InstalledApp(bytes).info("CFBundleVersion")?.string == "2")
            #expect(try Self.severity(release, in: app.store) == nil)

            // A build for testers that allows arbitrary loads is refused.
            let careless = SampleApps.pare(
                allowsArbitraryLoads: true,
                by: server.authority,
                at: Date(),
            )
            try await server.build("2.5.0-3.ipa", careless.version("2.5.0", build: "3"))
            try await app.work.commit("Load what it likes")
            try await app.push("v2.5.0")
            let (_, loose) = try await app.release("2.5.0-3", on: "stable")
            #expect(try Self.severity(loose, in: app.store) == .warns)

            // A development build may allow them.
            let debug = SampleApps.pare(.debug, by: server.authority, at: Date())
            try await server.build("2.5.0-4.ipa", debug.version("2.5.0", build: "4"))
            try await app.work.commit("Go on")
            try await app.push("main")
            let (_, own) = try await app.release("2.5.0-4", on: "dev")
            #expect(own.identifier.rawValue == "2.5.0-4")
            #expect(try Self.severity(own, in: app.store) == nil)

            // A settings file with an outdated version is detected: the tag is not built with another
            // version.
            try app.work.write(
                "MARKETING_VERSION = 2.3.1\nCURRENT_PROJECT_VERSION = 1\n",
                to: "Config/Late.xcconfig",
            )
            try await app.work.commit(
                "Include it last",
                [
                    "Config/Release.xcconfig": (Self.project["Config/Release.xcconfig"] ?? "")
                        + "\n#include \"Late.xcconfig\"\n"
                ],
            )
            try await app.push("v2.6.0")
            let name = try #require(Slug("pare"))
            let store = try app.store
            try await eventually(within: .seconds(60), "the tag is refused") {
                try store.run(4, of: name)?.state.isOver == true
            }
            let refused = try #require(try store.run(4, of: name))
            #expect(refused.state == .failed && refused.steps.first?.exitCode == 1, "\(refused)")
            let said = try await server.ota("mirror", "logs", "pare", "4").output
            #expect(said.contains("Config/Late.xcconfig:1"), "\(said)")
        }
    }

    private static func severity(
        _ release: Release,
        in store: OTAStore,
    ) throws -> Severity? {
        try store.report(of: release).findings
            .first { $0.id == "lint.arbitrary-loads" }?.severity
    }
}
