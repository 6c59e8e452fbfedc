import Bytes
import Foundation
import Identifiers
import MirrorBuilds
import Mirrors
import Releases
import Sample
import Store
import Symbols
import TestSupport
import Testing
import Versions

/// The dSYMs in an archive that a build made and that became a release.
@Suite struct SymbolArtifactTests {
    @Test func `an archive that is published keeps its dSYMs with the release`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let pipeline = """
                name: Browsey
                env:
                  BUILDS: \(folder.path())builds
                steps:
                  - name: Archive
                    run: |
                      archive=build/App.xcarchive
                      mkdir -p $archive/Products/Applications
                      unzip -q "$BUILDS/1.1.0-2.ipa"
                      mv Payload/*.app $archive/Products/Applications/
                      cp -R "$BUILDS/dSYMs" $archive/
                      cat > $archive/Info.plist <<END
                      <plist version="1.0"><dict><key>ArchiveVersion</key><integer>2</integer></dict></plist>
                      END
                artifacts:
                  - path: build/*.xcarchive
                """
            let app = SampleApps.browsey(by: room.authority, at: room.date)
                .editing { $0.app.hasIcon = false }
            try room.prepareBuild(of: app, version: "1.1.0", number: 2)
            let builds = folder.appending(path: "builds")
            let ipa = try FileSource(path: builds.appending(path: "1.1.0-2.ipa").path())
            let programs = try ProgramSearch.programs(of: ipa)
            let image = try #require(programs.first?.images.first)
            let symbols = builds.appending(path: "dSYMs")
            try SampleSymbols.write(to: symbols, uuid: image.uuid.bytes)
            try SampleSymbols.write(to: symbols, named: "Stranger.dSYM")
            try await room.work.commit("Begin", [".ota/pipeline.yml": pipeline])
            try await room.push()
            try room.add("browsey")
            try await room.sync("browsey")
            try await room.work.commit("Add the app", ["main.swift": "// the app"])
            try await room.work.git("tag", "v1.1.0")
            try await room.push()
            let runs = try await room.syncAndBuild("browsey")
            let run = try #require(runs.first { !$0.artifacts.isEmpty }, "\(runs)")
            #expect(run.artifacts.map(\.outcome) == [.published], "\(run)")
            let log = try room.log(of: run)
            #expect(log.contains("kept 1 dSYM with the release"), "\(log)")
            let record = try #require(try room.store.apps().first)
            let release = try #require(try room.store.release(on: .stable, of: record))
            #expect(release.symbols?.file(of: image.uuid)?.name == "Shop.app.dSYM")
            #expect(release.symbols?.files.count == 1)
        }
    }
}
