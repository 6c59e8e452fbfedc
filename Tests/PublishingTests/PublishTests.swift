import Bundles
import Bytes
import Cryptography
import Foundation
import Identifiers
import Images
import Inspection
import Publishing
import Releases
import Sample
import Store
import Synchronization
import TestSupport
import Testing

struct PublishTests {
    private let date = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func `a build goes from a file to what its channel offers`() async throws {
        try await withRoom { room in
            let published = try room.publish(try room.browsey())
            let release = published.release
            #expect(published.isCreated)
            #expect(release.bundleIdentifier.rawValue == "com.vforsh.browsey")
            #expect(published.report.findings.allSatisfy { !$0.blocksEveryDevice })
            let app = try #require(try room.store.apps().first)
            #expect(app == published.app)
            #expect(try room.store.release(on: .stable, of: app) == release)
            let file = Array(try Data(contentsOf: room.file))
            let blob = try room.store.open(release.sha256)
            #expect(try blob.source.bytes(at: 0, count: blob.size) == file)
            #expect(release.chunks.digests == [SHA256Digest(of: file)])
            for (digest, side) in [(release.icons.small, 57), (release.icons.large, 512)] {
                let icon = try Raster(png: room.store.bytes(of: digest))
                #expect(icon.width == side && icon.height == side)
            }
            #expect(try room.store.report(of: release) == published.report)
            #expect(try room.store.activity(count: 9).map(\.event) == [.published])
            #expect(try room.store.verify().problems.isEmpty)
            #expect(try room.store.verify().unreferenced == 0)
        }
    }

    @Test func `what the publisher says is kept with the release`() async throws {
        try await withRoom { room in
            let release = try room.publish(try room.browsey()) { options in
                options.channel = .beta
                options.notes = "* faster"
                options.tag = "v1.4.0"
                options.commit = "0123456789abcdef"
            }.release
            #expect(release.channel == .beta && release.notes == "* faster")
            #expect(release.tag == "v1.4.0" && release.commit == "0123456789abcdef")
            #expect(release.publisher == "a test" && release.published == date)
        }
    }

    @Test func `what is said of bytes that are there is told, and not noted`() async throws {
        try await withRoom { room in
            let first = try room.publish(try room.browsey()) { options in
                options.notes = "* faster"
                options.tag = "v1.4.0"
                options.commit = "0123456789abcdef"
            }
            #expect(first.remarks.isEmpty)
            let same = try room.publish { options in
                options.notes = "* faster"
                options.tag = "v1.4.0"
            }
            #expect(!same.isCreated && same.remarks.isEmpty)
            let other = try room.publish { options in
                options.notes = "* slower"
                options.tag = "v1.4.0-rc.1"
                options.commit = "0123456789abcdef"
            }
            #expect(other.release == first.release)
            let replacing = try room.publish(try room.browsey().resource(.text("new.txt", "new"))) {
                $0.tag = "v1.4.0-rc.1"
                ($0.replace, $0.isDryRun) = (true, true)
            }
            #expect(replacing.remarks.isEmpty, "other bytes bring their own tag")
            #expect(
                other.remarks == [
                    "It was first published with the tag v1.4.0 and keeps that; the tag "
                        + "v1.4.0-rc.1 was ignored.",
                    "It keeps its notes; those given now were ignored.",
                ]
            )
        }
    }

    @Test(arguments: [
        ("v1.5.0", "publish.other-version"), ("v1.4", nil), ("v1.4.0-beta.2", nil),
        ("browsey/v1.4.0", nil), ("browsey/v1.4.1", "publish.other-version"), ("nightly", nil),
        ("1.4.0.7", nil),
        ("dev", nil), ("$(id)", "publish.bad-tag"), ("--output=x", "publish.bad-tag"),
    ])
    func `a tag that names another version than the build's is refused`(
        tag: String,
        refusal: String?,
    ) async throws {
        try await withRoom { room in
            let published = Result {
                try room.publish(try room.browsey()) { $0.tag = tag }
            }
            guard let refusal else {
                let kept = try published.get().release.tag
                let remarks = try published.get().remarks
                #expect(remarks.isEmpty == (tag != "1.4.0.7"), "\(remarks)")
                // A name for builds without a tag is not stored as a tag, and not signed as one.
                #expect(kept == (tag == "dev" ? nil : tag))
                return
            }
            #expect {
                try published.get()
            } throws: { error in
                (error as? PublishRefusal)?.id == refusal
            }
            #expect(try room.store.verify().blobs == 0, "nothing is kept")
        }
    }

    @Test func `another version than the tag's may be allowed`() async throws {
        try await withRoom { room in
            let release = try room.publish(try room.browsey()) { options in
                options.tag = "v9.0.0"
                options.allowsOtherVersion = true
            }.release
            #expect(release.tag == "v9.0.0" && release.version == "1.4.0")
        }
    }

    @Test func `the same file again is no new release`() async throws {
        try await withRoom { room in
            let first = try room.publish(try room.browsey())
            let second = try room.publish()
            #expect(!second.isCreated && second.release == first.release)
        }
    }

    @Test func `progress goes through the phases and never back`() async throws {
        try await withRoom { room in
            let seen = Mutex<[PublishProgress]>([])
            try room.build(room.browsey())
            _ = try Publish(into: room.store, trusting: room.anchors, options: room.options) {
                step in
                seen.withLock { $0.append(step) }
            }.file(room.file.path())
            let steps = seen.withLock { $0 }
            for phase in PublishProgress.Phase.allCases {
                let fractions = steps.filter { $0.phase == phase }.map(\.fraction)
                #expect(fractions == fractions.sorted(), "\(phase)")
                #expect(fractions.last == 1, "\(phase)")
            }
            #expect(Array(steps.map(\.phase).chunked()) == PublishProgress.Phase.allCases)
        }
    }

    @Test func `a build that installs nowhere is refused and leaves nothing`() async throws {
        try await withRoom { room in
            let expired = try room.browsey().editingProfile { $0.expires = date.addingDays(-1) }
            let refusal = #expect(throws: PublishRefusal.self) { try room.publish(expired) }
            #expect(refusal?.id == "profile.expired")
            #expect(refusal?.fix.isEmpty == false)
            let unprovisioned = try room.browsey().withoutProfile()
            #expect(throws: PublishRefusal.self) { try room.publish(unprovisioned) }
            try room.expectNothingStored()
        }
    }

    @Test func `what is no archive is refused by name and leaves nothing`() async throws {
        try await withRoom { room in
            for bytes in [[], Array("not an archive".utf8), [0x50, 0x4B, 0x05, 0x06]] {
                try Data(bytes).write(to: room.file)
                #expect(throws: UnreadableArchive.self) { try room.publish() }
            }
            #expect(throws: SourceFailure.self) {
                try room.publisher.file(room.file.path() + ".missing")
            }
            try room.expectNothingStored()
        }
    }

    @Test func `a byte that changed on the way is found`() async throws {
        try await withRoom { room in
            try room.build(room.browsey())
            var bytes = try Data(contentsOf: room.file)
            bytes[bytes.count / 2] ^= 0x40
            try bytes.write(to: room.file)
            #expect(throws: (any Error).self) { try room.publish() }
            try room.expectNothingStored()
        }
    }

    @Test func `a dry run says what would happen and stores nothing`() async throws {
        try await withRoom { room in
            let rehearsed = try room.publish(try room.browsey()) { $0.isDryRun = true }
            #expect(rehearsed.isCreated && rehearsed.app == nil)
            try room.expectNothingStored()
            let published = try room.publish()
            var expected = rehearsed.release
            expected.publishedProvenance = published.release.publishedProvenance
            #expect(published.release == expected, "all but the signature is known before")
            let again = try room.publish { $0.isDryRun = true }
            #expect(!again.isCreated)
            #expect(throws: ReleaseRefusal.self) {
                try room.publish(try room.browsey().displayName("Other")) { $0.isDryRun = true }
            }
        }
    }

    @Test func `other bytes of the same build take its place only when asked to`() async throws {
        try await withRoom { room in
            _ = try room.publish(try room.browsey())
            let other = try room.browsey().displayName("Browsey Two")
            let refusal = #expect(throws: ReleaseRefusal.self) { try room.publish(other) }
            #expect(refusal?.id == "release.other-bytes")
            let replaced = try room.publish(other) { $0.replace = true }
            #expect(replaced.isCreated)
            #expect(try room.store.apps().first?.channels.count == 1)
            #expect(try room.store.verify().problems.isEmpty)
            // The IPA and the report of the replaced release.
            #expect(try room.store.collect(olderThan: 0).blobs >= 2)
            #expect(try room.store.verify().problems.isEmpty)
        }
    }

    @Test func `the same bytes on another day leave nothing that no release refers to`()
        async throws
    {
        try await withRoom { room in
            let first = try room.publish(try room.browsey())
            let blobs = try room.store.backend.blobs()
            let again = try room.publish {
                $0 = PublishOptions(publisher: "CI", date: $0.date.addingTimeInterval(86_400))
            }
            #expect(!again.isCreated && again.release == first.release)
            #expect(try room.store.backend.blobs() == blobs)
        }
    }

    @Test func `notes have a bound`() async throws {
        try await withRoom { room in
            let most = String(repeating: "n", count: PublishOptions.notesLimit)
            #expect(throws: PublishRefusal.notesTooLong(most.utf8.count + 1)) {
                try room.publish(try room.browsey()) { $0.notes = most + "n" }
            }
            let published = try room.publish(try room.browsey()) { $0.notes = most }
            #expect(published.isCreated)
        }
    }

    @Test func `an upload in pieces becomes the same release as the file`() async throws {
        try await withRoom { room in
            try room.build(room.browsey())
            let bytes = Array(try Data(contentsOf: room.file))
            let incoming = try room.store.backend.receive()
            let hashing = SHA256Hasher()
            for start in stride(from: 0, to: bytes.count, by: 10_007) {
                let piece = Array(bytes[start..<min(start + 10_007, bytes.count)])
                hashing.update(piece)
                try unsafe piece.withUnsafeBytes { try unsafe incoming.append($0) }
            }
            let uploaded = try room.publisher.arrived(incoming, sha256: hashing.finish())
            #expect(uploaded.isCreated)
            let again = try room.publisher.file(room.file.path())
            #expect(!again.isCreated && again.release == uploaded.release)
        }
    }

    private func withRoom(_ body: (PublishingRoom) throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            try body(PublishingRoom(in: folder, at: date))
        }
    }
}

extension ChannelName {
    fileprivate static var beta: ChannelName { ChannelName("beta") ?? .stable }
}

extension Sequence where Element: Equatable {
    /// Returns each run of equal elements as one element.
    fileprivate func chunked() -> [Element] {
        reduce(into: []) { runs, element in
            if runs.last != element { runs.append(element) }
        }
    }
}
