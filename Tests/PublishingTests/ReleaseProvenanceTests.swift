import Cryptography
import Foundation
import Provenance
import Publishing
import Releases
import Sample
import Store
import TestSupport
import Testing

/// The signed statement about a release's origin.
struct ReleaseProvenanceTests {
    private let date = Date(timeIntervalSince1970: 1_795_000_000)
    private let commit = String(repeating: "0a", count: 20)

    private func withRelease(
        _ body: (PublishingRoom, Release) throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let room = try PublishingRoom(in: folder, at: date)
            let published = try room.publish(try room.browsey()) { options in
                options.tag = "v1.4.0"
                options.commit = commit
                options.origin = BuildOrigin(
                    repository: "https://token:s3cret@example.com/browsey.git",
                    pipeline: ".ota/pipeline.yml",
                    builder: "https://ci.example.com",
                    run: "https://ci.example.com/runs/7",
                )
            }
            try body(room, published.release)
        }
    }

    @Test func `a statement of SLSA says what was built of what, by whom`() async throws {
        try await withRelease { room, release in
            let statement = try room.store.proven(release).statement
            #expect(statement.type == "https://in-toto.io/Statement/v1")
            #expect(statement.predicateType == "https://slsa.dev/provenance/v1")
            #expect(statement.subject.first?.digest == ["sha256": release.sha256.description])
            let definition = statement.predicate.buildDefinition
            #expect(
                definition.resolvedDependencies.map(\.uri) == [
                    "git+https://example.com/browsey.git@refs/tags/v1.4.0"
                ]
            )
            #expect(definition.resolvedDependencies.first?.digest == ["gitCommit": commit])
            #expect(definition.externalParameters.pipeline == ".ota/pipeline.yml")
            #expect(definition.internalParameters == ["publisher": "a test"])
            #expect(definition.externalParameters.builder == "https://ci.example.com")
            #expect(!statement.isBuiltHere && statement.builder == "https://ci.example.com")
            let instance = try room.store.settings().instance
            #expect(statement.predicate.runDetails.builder.id == "urn:ota:store:\(instance)")
            #expect(try room.store.verify().unreferenced == 0)
            let again = try room.publish()
            #expect(again.release.provenance == release.provenance)
            #expect(try room.store.verify().unreferenced == 0, "the same bytes make no second one")
        }
    }

    @Test func `an IPA that was exchanged on disk is found`() async throws {
        try await withRelease { room, release in
            let path = try #require(try room.store.open(release.sha256).path)
            let handle = try FileHandle(forUpdating: URL(filePath: path))
            try handle.seek(toOffset: 1000)
            let byte = try #require(try handle.read(upToCount: 1)?.first)
            try handle.seek(toOffset: 1000)
            try handle.write(contentsOf: [byte ^ 1])
            try handle.close()
            #expect {
                try room.store.proven(release)
            } throws: { ($0 as? ProvenanceRefusal)?.id == "provenance.other-bytes" }
        }
    }

    @Test func `a record that was changed by hand is found`() async throws {
        try await withRelease { room, release in
            let folder = room.folder.path() + "store/apps/\(release.bundleIdentifier)/releases/"
            let file = URL(filePath: folder + "\(release.identifier).json")
            let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            try Data(text.replacing("\"v1.4.0\"", with: "\"v1.4.1\"").utf8).write(to: file)
            let store = try OTAStore.open(at: room.folder.path() + "store")
            let changed = try #require(
                try store.release(release.identifier, of: release.bundleIdentifier)
            )
            #expect(
                throws: ProvenanceRefusal.otherRecord("tag", stated: "v1.4.0", found: "v1.4.1")
            ) { try store.proven(changed) }
        }
    }

    @Test func `a statement of another server is not this one's`() async throws {
        try await withRelease { room, release in
            let other = PublicKey(of: try PrivateKey.generate(.p256))
            #expect {
                try room.store.proven(release, by: other)
            } throws: { ($0 as? ProvenanceRefusal)?.id == "provenance.other-key" }
            var old = release
            old.publishedProvenance = nil
            #expect(throws: ProvenanceRefusal.none) { try room.store.proven(old) }
        }
    }
}
