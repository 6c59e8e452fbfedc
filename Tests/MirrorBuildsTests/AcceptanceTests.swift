import Bundles
import Foundation
import Identifiers
import MirrorBuilds
import Mirrors
import Releases
import Sample
import Store
import TestSupport
import Testing
import Versions

@Suite struct AcceptanceTests {
    /// The job as the team has documented it: existence check, version, build, test, an archive only for tags
    /// and manual runs, and an upload that warns if there is nothing.
    @Test func `BrowserSelector's job runs as a pipeline`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let pipeline = """
                name: BrowserSelector
                requires: ios
                env:
                  BUILDS: \(folder.path())builds
                steps:
                  - name: Say the version
                    run: echo "TAG=$TAG VERSION=$VERSION"
                  - name: Build
                    working-directory: ios
                    run: echo compiled > app.o
                  - name: Test
                    working-directory: ios
                    run: grep -q compiled app.o
                  - name: Archive
                    if: [tag, manual]
                    run: |
                      mkdir -p build/BrowserSelector.xcarchive/Products/Applications/BrowserSelector.app
                      echo unsigned > build/BrowserSelector.xcarchive/Products/Applications/BrowserSelector.app/BrowserSelector
                      cp "$BUILDS/$MARKETING_VERSION-$BUILD_NUMBER.ipa" build/BrowserSelector.ipa
                artifacts:
                  - path: build/*.ipa
                    ifMissing: warn
                  - path: build/*.xcarchive
                    ifMissing: warn
                """
            try await room.work.commit("Begin", [".ota/pipeline.yml": pipeline])
            try await room.work.git("tag", "v1.0.0")
            try await room.push()
            try room.add("browser-selector")
            try await room.sync("browser-selector")

            // As long as the folder does not exist, there is nothing to do.
            let skipped = try await room.buildByHand("browser-selector") {
                $0.tag = try TagName("v1.0.0")
            }
            #expect(skipped.map(\.state) == [.skipped])
            #expect(skipped.first?.reason == "no `ios` folder in the commit")

            try await room.work.commit("Add the app", ["ios/main.swift": "// the app"])
            try await room.push()
            let branch = try #require(try await room.syncAndBuild("browser-selector").first)
            #expect(branch.state == .succeeded && branch.version == "dev", "\(branch)")
            #expect(branch.steps.map(\.state) == [.succeeded, .succeeded, .succeeded, .skipped])
            #expect(branch.artifacts.map(\.outcome) == [.missing, .missing])
            #expect(try room.log(of: branch).contains("TAG=dev VERSION=dev\n"))
            #expect(try room.log(of: branch).contains("warning: no file matches build/*.ipa"))

            let app = SampleApps.browserSelector(by: room.authority, at: room.date)
            try room.prepareBuild(of: app, version: "1.1.0", number: 3)
            try await room.work.commit("Fix the list")
            try await room.work.git("tag", "v1.1.0")
            try await room.push()
            let tagged = try #require(try await room.syncAndBuild("browser-selector").first)
            #expect(tagged.state == .succeeded, "\(tagged)")
            #expect(tagged.artifacts.map(\.outcome) == [.published, .notInstallable])
            let archive = try #require(tagged.artifacts.last?.blob)
            #expect(try room.store.bytes(of: archive).starts(with: Array("PK".utf8)))
            let record = try #require(try room.store.apps().first)
            let release = try #require(try room.store.release(on: .stable, of: record))
            #expect(release.identifier.rawValue == "1.1.0-3")
            #expect(release.notes == "- Fix the list\n- Add the app")
            // Logs and kept files are not garbage.
            #expect(try room.store.collect(olderThan: 0).blobs == 0)

            try room.prepareBuild(of: app, version: "2.0.0", number: 3)
            let manual = try await room.buildByHand("browser-selector") {
                $0.tag = try TagName("v2.0.0")
                $0.branch = "main"
            }
            #expect(manual.map(\.state) == [.succeeded], "\(manual)")
            #expect(manual.first?.version == "2.0.0")
        }
    }

    @Test func `Browsey and SimBridge of one repository are versioned by their prefixes`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            for (name, builds) in [("browsey", "builds"), ("simbridge", "simbridge")] {
                try room.work.write(
                    room.pipeline.replacing(
                        "\(folder.path())builds",
                        with: folder.path() + builds,
                    ),
                    to: "\(name)/.ota/pipeline.yml",
                )
            }
            try await room.work.commit("Begin")
            try await room.push()
            for name in ["browsey", "simbridge"] {
                try room.add(name) {
                    $0.prefix = "\(name)/"
                    $0.pipelinePath = "\(name)/.ota/pipeline.yml"
                    $0.branches = []
                }
                try await room.sync(name)
            }
            try await room.work.git("tag", "browsey/v1.2.0")
            try await room.work.commit("Pair faster")
            try await room.work.git("tag", "simbridge/v3.0.0-beta.2")
            try await room.push()
            try room.prepareBuild(version: "1.2.0", number: 1)
            try FileManager.default.createDirectory(
                at: folder.appending(path: "simbridge"),
                withIntermediateDirectories: true,
            )
            try SampleApps.simBridgeClient(by: room.authority, at: room.date)
                .version("3.0.0", build: "2")
                .build(to: folder.appending(path: "simbridge/3.0.0-2.ipa").path())

            let browsey = try await room.syncAndBuild("browsey")
            let simBridge = try await room.syncAndBuild("simbridge")
            #expect(browsey.map(\.state) == [.succeeded], "\(browsey)")
            #expect(browsey.map(\.tag) == ["browsey/v1.2.0"])
            #expect(simBridge.map(\.state) == [.succeeded], "\(simBridge)")
            #expect(simBridge.map(\.channel) == ["beta"])
            let offered = try room.store.apps().map { app in
                app.channels.map { "\(app.title) \($0.value) \($0.key)" }
            }
            .flatMap(\.self).sorted()
            #expect(offered == ["Browsey 1.2.0-1 stable", "SimBridge Client 3.0.0-2 beta"])
        }
    }
}
