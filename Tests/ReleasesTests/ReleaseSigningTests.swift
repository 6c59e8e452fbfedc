import Cryptography
import Foundation
import Identifiers
import Inspection
import Releases
import Testing

/// A re-signed release: a single place decides which IPA is offered.
struct ReleaseSigningTests {
    private func digest(_ text: String) -> SHA256Digest { SHA256Digest(of: Array(text.utf8)) }

    private func signing(_ name: String, of release: Release) throws -> Release.Signing {
        Release.Signing(
            Release.Artifact(
                sha256: digest(name),
                size: 100,
                chunks: Release.ChunkDigests(size: 10 << 20, digests: [digest(name)]),
                icons: release.icons,
                report: digest("report of \(name)"),
            ),
            report: try ExampleRelease().report(),
            from: release.original.sha256,
            date: ExampleRelease.now + 60,
            by: "ada",
            reason: "requested",
        )
    }

    @Test func `a document from before signings reads as what was published`() throws {
        let release = try ExampleRelease().release()
        let text = try StoredJSON.text(release)
        #expect(!text.contains("signings") && !text.contains("droppedArchives"))
        let read = try StoredJSON.value(Release.self, from: text)
        #expect(read == release)
        #expect(read.current == read.original && read.sha256 == digest("archive"))
        #expect(read.archives.count == 1 && read.keepsOriginal)
    }

    @Test func `the newest signing is the release, and the published one stays`() throws {
        let published = try ExampleRelease().release()
        let signed = published.signed(as: try signing("one", of: published))
        #expect(signed.identifier == published.identifier)
        #expect(signed.sha256 == digest("one") && signed.size == 100)
        #expect(signed.report == digest("report of one"))
        #expect(signed.original == published.original)
        #expect(Set(signed.blobs).isSuperset(of: published.blobs))
        let text = try StoredJSON.text(signed)
        #expect(try StoredJSON.value(Release.self, from: text) == signed)
        // An earlier version of the program continues to offer the published IPA.
        #expect(text.contains("\"sha256\" : \"\(digest("archive"))\""))
    }

    @Test func `two archives back, the bytes are given up, but never those that were published`()
        throws
    {
        let published = try ExampleRelease().release()
        var release = published
        for name in ["one", "two", "three"] {
            release = release.signed(as: try signing(name, of: published))
        }
        #expect(!release.keeps(digest("one")) && release.keeps(digest("two")))
        #expect(!release.blobs.contains(digest("one")))
        #expect(release.blobs.contains(digest("report of one")))
        #expect(release.keepsOriginal)
        release.dropSuperseded(withOriginal: false)
        #expect(!release.keeps(digest("two")) && release.keeps(digest("three")))
        release.dropSuperseded(withOriginal: true)
        #expect(!release.keepsOriginal && release.keeps(digest("three")))
        release.keepAgain(published.sha256)
        #expect(release.keepsOriginal)
    }

    @Test func `a release remembers the signings of a year`() throws {
        let published = try ExampleRelease().release()
        var release = published
        for number in 0...Release.signingLimit {
            release = release.signed(as: try signing("\(number)", of: published))
        }
        #expect(release.signings?.count == Release.signingLimit)
        #expect(release.signings?.first?.sha256 == digest("1"))
        #expect((release.droppedArchives ?? []).allSatisfy { release.archive($0) != nil })
    }

    @Test func `a link of an earlier archive leads on, and its bytes stay those of its manifest`()
        throws
    {
        let authority = CapabilityAuthority(key: [UInt8](repeating: 7, count: 32))
        let published = try ExampleRelease().release()
        let signed = published.signed(as: try signing("one", of: published))
        let now = ExampleRelease.now
        let old = try authority.verified(authority.component(for: published, at: now), at: now)
        #expect(old.opensNewest(of: signed))
        let opened = try #require(old.opened(signed))
        #expect(opened.sha256 == published.sha256 && opened.chunks == published.chunks)
        let new = try authority.verified(authority.component(for: signed, at: now), at: now)
        #expect(new.opened(signed)?.sha256 == digest("one"))
        #expect(new.opened(published) == nil && !new.opensNewest(of: published))
        var pruned = signed
        pruned.dropSuperseded(withOriginal: true)
        #expect(old.opened(pruned) == nil && old.opensNewest(of: pruned))
    }

    @Test func `a link keeps the device and the session that it was made for`() throws {
        let authority = CapabilityAuthority(key: [UInt8](repeating: 7, count: 32))
        let release = try ExampleRelease().release()
        let now = ExampleRelease.now
        let device = String(repeating: "a1", count: 12)
        let session = "t" + String(repeating: "b2", count: 16)
        for device in [nil, device] {
            for session in [nil, session] {
                for opensManifest in [true, false] {
                    let text = authority.component(
                        for: release,
                        device: device,
                        session: session,
                        opensManifest: opensManifest,
                        at: now,
                    )
                    let read = try authority.verified(text, at: now)
                    #expect(read.device == device && read.session == session)
                    #expect(read.opensManifest == opensManifest && read.opened(release) != nil)
                }
            }
        }
        // An invalid session is replaced by one that does not exist.
        let odd = authority.component(for: release, session: "t00", at: now)
        let zeros = "t" + String(repeating: "0", count: 32)
        #expect(try authority.verified(odd, at: now).session == zeros)
    }
}
