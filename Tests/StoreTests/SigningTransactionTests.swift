import Bundles
import Cryptography
import Foundation
import Identifiers
import Inspection
import Releases
import Store
import StoreFixtures
import TestSupport
import Testing

/// A signing becomes a release's newest one by a single compare-and-swap, and repeating the call completes
/// it.
struct SigningTransactionTests {
    private func signing(
        _ contents: String,
        of release: Release,
        into store: OTAStore,
    ) throws -> Release.Signing {
        var signed = StoredRelease()
        signed.contents = contents
        let digest = try store.put(signed.archive)
        return Release.Signing(
            Release.Artifact(
                sha256: digest,
                size: signed.archive.count,
                chunks: Release.ChunkDigests(size: 10 << 20, digests: [digest]),
                icons: release.icons,
                report: try store.put(OTAStore.encoded(signed.report)),
            ),
            report: try signed.report,
            from: release.original.sha256,
            date: StoredRelease().date + 60,
            by: "ada",
            reason: "requested",
        )
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `a signing counts once it is recorded, and is recorded once`(
        kind: StorePlace.Kind
    ) async throws {
        try await withStore(in: kind) { store, _ in
            let published = try StoredRelease().publish(into: store).release
            let made = try signing("signed", of: published, into: store)
            let app = published.bundleIdentifier
            let report = try StoredRelease().report
            for isFirst in [true, false] {
                let recorded = try store.record(
                    made,
                    of: published.identifier,
                    in: app,
                    report: report,
                )
                #expect(recorded.isCreated == isFirst)
                #expect(recorded.release.sha256 == made.sha256)
            }
            #expect(try store.activity(count: 10).map(\.event) == [.signedAgain, .published])
            #expect(try store.release(published.identifier, of: app)?.signings?.count == 1)
            #expect(try store.verify().problems == [])
            // Neither the published nor the signed IPA is garbage.
            #expect(try store.collect(olderThan: 0).blobs == 0)
        }
    }

    @Test(arguments: StorePlace.Kind.local)
    func `what two later signings supersede is collected once it is a day old, and nothing else`(
        kind: StorePlace.Kind
    ) async throws {
        try await withStore(in: kind) { store, place in
            let published = try StoredRelease().publish(into: store).release
            var signings: [Release.Signing] = []
            for contents in ["one", "two", "three"] {
                signings.append(try signing(contents, of: published, into: store))
                try store.record(
                    signings[signings.count - 1],
                    of: published.identifier,
                    in: published.bundleIdentifier,
                    report: StoredRelease().report,
                )
            }
            #expect(try store.collect().blobs == 0)
            for digest in [published.sha256] + signings.map(\.sha256) {
                try place.age(digest, by: 25 * 3600)
            }
            #expect(try store.collect(isDryRun: true).blobs == 1)
            #expect(try store.collect().blobs == 1)
            #expect(try store.backend.facts(of: signings[0].sha256) == nil)
            for kept in [published.sha256, signings[1].sha256, signings[2].sha256] {
                #expect(try store.backend.facts(of: kept) != nil)
            }
            #expect(try store.verify().problems == [])
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `publishing the same bytes again leaves the signing in place`(
        kind: StorePlace.Kind
    ) async throws {
        try await withStore(in: kind) { store, _ in
            let published = try StoredRelease().publish(into: store).release
            let made = try signing("signed", of: published, into: store)
            try store.record(
                made,
                of: published.identifier,
                in: published.bundleIdentifier,
                report: StoredRelease().report,
            )
            let again = try StoredRelease().publish(into: store)
            #expect(!again.isCreated)
            #expect(again.release.sha256 == made.sha256)
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `what was withdrawn or replaced meanwhile gets no signing`(
        kind: StorePlace.Kind
    ) async throws {
        try await withStore(in: kind) { store, _ in
            let published = try StoredRelease().publish(into: store).release
            let app = published.bundleIdentifier
            let made = try signing("signed", of: published, into: store)
            var other = StoredRelease()
            other.contents = "other bytes"
            let replaced = try other.publish(into: store, replace: true).release
            #expect(
                throws: ReleaseRefusal.otherBytes(
                    published.identifier,
                    there: replaced.original.sha256,
                )
            ) {
                try store.record(
                    made,
                    of: published.identifier,
                    in: app,
                    report: StoredRelease().report,
                )
            }
            _ = try store.changeRelease(published.identifier, of: app) {
                $0.withdrawal = .init(date: other.date, actor: "ada", reason: "")
            }
            #expect(throws: ReleaseRefusal.withdrawn(published.identifier)) {
                try store.record(
                    try signing("signed", of: replaced, into: store),
                    of: published.identifier,
                    in: app,
                    report: StoredRelease().report,
                )
            }
        }
    }

    @Test(arguments: StorePlace.Kind.allCases)
    func `one holder at a time has a lease`(kind: StorePlace.Kind) async throws {
        try await withStore(in: kind) { store, place in
            let other = try place.open()
            var lease = try store.backend.claim("jobs")
            #expect(lease != nil)
            #expect(try other.backend.claim("jobs") == nil)
            #expect(try other.backend.claim("others") != nil)
            lease = nil
            #expect(try other.backend.claim("jobs") != nil)
        }
    }

    private func withStore(
        in kind: StorePlace.Kind,
        _ body: (OTAStore, StorePlace) async throws -> Void,
    ) async throws {
        try await withPlace(kind) { place in try await body(place.openOrCreate(), place) }
    }
}
