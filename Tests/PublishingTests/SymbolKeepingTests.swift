import Bytes
import Cryptography
import Foundation
import Identifiers
import Publishing
import Releases
import Sample
import Store
import Symbols
import TestSupport
import Testing

/// dSYMs that are kept with a release, and removed with it.
struct SymbolKeepingTests {
    private static let date = Date(timeIntervalSince1970: 1_800_000_000)

    /// Publishes a build, with a dSYM for each of its programs in a folder.
    private static func room(
        _ body: (PublishingRoom, Release, [SymbolBundle]) throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let room = try PublishingRoom(in: folder, at: date)
            let app = try room.browsey().editing { $0.app.hasIcon = false }
                .nesting(.framework("Net"))
            let release = try room.publish(app).release
            let programs = try ProgramSearch.programs(of: FileSource(path: room.file.path()))
            let place = folder.appending(path: "dSYMs")
            for (number, image) in programs.flatMap(\.images).enumerated() {
                try SampleSymbols.write(
                    to: place,
                    named: "Part\(number).dSYM",
                    uuid: image.uuid.bytes,
                )
            }
            try SampleSymbols.write(to: place, named: "Stranger.dSYM")
            let source = try SymbolFolder(OpenFolder(path: place.path()), named: "dSYMs")
            try body(room, release, SymbolSearch.bundles(in: source, of: "dSYMs"))
        }
    }

    @Test func `those that belong to the build are kept once, and strangers are named`()
        async throws
    {
        try await Self.room { room, release, bundles in
            let some = bundles.filter { $0.name != "Part0.dSYM" }
            let kept = try room.store.keepSymbols(some, with: release, by: "ana", at: Self.date)
            #expect(kept.unmatched == ["Stranger.dSYM"] && kept.added.count == bundles.count - 2)
            let symbols = try #require(kept.release.symbols)
            #expect(
                symbols.missing.count == 1 && symbols.files.map(\.by).allSatisfy { $0 == "ana" }
            )
            for file in symbols.files {
                #expect(try room.store.backend.facts(of: file.blob)?.size == file.size)
                #expect(kept.release.blobs.contains(file.blob))
            }
            let all = try room.store.keepSymbols(bundles, with: release, by: "bo", at: Self.date)
            #expect(all.added == ["Part0.dSYM"] && all.release.symbols?.missing.isEmpty == true)
            let again = try room.store.keepSymbols(bundles, with: release, by: "bo", at: Self.date)
            #expect(again.added.isEmpty && again.release == all.release)
            let told = try room.store.activity(count: 9).filter { $0.event == .symbolsAdded }
            #expect(told.map(\.actor) == ["bo", "ana"] && told[0].detail == "1 dSYM")
            #expect(throws: SymbolRefusal.unmatched(["Stranger.dSYM"])) {
                let strangers = bundles.filter { $0.name == "Stranger.dSYM" }
                _ = try room.store.keepSymbols(strangers, with: release, by: "bo", at: Self.date)
            }
        }
    }

    @Test func `a slice of a program of another app names nothing`() async throws {
        try await Self.room { room, release, bundles in
            let own = bundles.filter { $0.name == "Part0.dSYM" }
            let stranger = try #require(bundles.first { $0.name == "Stranger.dSYM" }).images[0]
            let kept = try room.store.keepSymbols(own, with: release, by: "eve", at: Self.date)
            let symbols = try #require(kept.release.symbols)
            let file = symbols.files[0]
            _ = try room.store.changeRelease(release.identifier, of: release.bundleIdentifier) {
                var both = ReleaseSymbols(programs: symbols.programs)
                _ = both.add(
                    ReleaseSymbols.File(
                        name: file.name,
                        images: [stranger] + file.images,
                        blob: file.blob,
                        size: file.size,
                        contentSize: file.contentSize,
                        added: Self.date,
                        by: "eve",
                    )
                )
                $0.symbols = both
            }
            let index = try room.store.symbolIndex()
            #expect(index[stranger.uuid].isEmpty && index[file.images[0].uuid].count == 1)
        }
    }

    @Test func `they are found by UUID, removed, and freed with the release`() async throws {
        try await Self.room { room, release, bundles in
            let store = room.store
            let kept = try store.keepSymbols(bundles, with: release, by: "ana", at: Self.date)
            let files = try #require(kept.release.symbols?.files)
            let uuid = files[0].images[0].uuid
            let found = try #require(try store.symbolIndex()[uuid].first)
            #expect(found.file == files[0] && found.app == release.bundleIdentifier)
            let removed = try store.removeSymbols(uuid, of: release, by: "ana", at: Self.date)
            #expect(removed.file == files[0])
            #expect(try store.symbolIndex()[uuid].isEmpty)
            #expect(throws: SymbolRefusal.unknown) {
                try store.removeSymbols(uuid, of: release, by: "ana", at: Self.date)
            }
            #expect(try store.free([files[0].blob]) == [files[0].blob], "nothing refers to it")
            // A release that a channel offers is never removed.
            let newer = try room.browsey().editing { $0.app.hasIcon = false }
            _ = try room.publish(newer.version("9.9.9", build: "999"))
            let going = [release.bundleIdentifier: [release.identifier]]
            let freed = try store.blobs(onlyOf: going)[release.bundleIdentifier] ?? [:]
            for file in files.dropFirst() { #expect(freed[file.blob] == file.size) }
        }
    }

    @Test func `other bytes under the same version have none, and a late dSYM does not join them`()
        async throws
    {
        try await Self.room { room, release, bundles in
            _ = try room.store.keepSymbols(bundles, with: release, by: "ana", at: Self.date)
            let other = try room.browsey().editing { $0.app.hasIcon = false }
                .resource(.text("other.txt", "other"))
            let published = try room.publish(other) { $0.replace = true }
            #expect(published.release.sha256 != release.sha256 && published.release.symbols == nil)
            #expect(throws: SymbolRefusal.replaced) {
                _ = try room.store.keepSymbols(bundles, with: release, by: "ana", at: Self.date)
            }
        }
    }

    @Test func `a release of today without symbols reads as it was written`() async throws {
        try await Self.room { room, release, _ in
            let path = "apps/\(release.bundleIdentifier)/releases/\(release.identifier).json"
            let file = room.folder.appending(path: "store").appending(path: path)
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!text.contains("symbols"))
        }
    }
}
