import Cryptography
import Foundation
import Publishing
import Sample
import Store
import Testing

/// A store, an authority that it trusts, and a folder for an IPA.
struct PublishingRoom {
    let store: OTAStore
    let file: URL
    let folder: URL
    let authority: SigningAuthority
    let date: Date

    init(in folder: URL, at date: Date) throws {
        self.folder = folder
        self.date = date
        store = try OTAStore.openOrCreate(at: folder.path() + "store", now: date)
        file = folder.appending(path: "build.ipa")
        authority = try SigningAuthority.cached()
    }

    var anchors: TrustAnchors { TrustAnchors.apple.adding([authority.root.certificate]) }

    var options: PublishOptions { PublishOptions(publisher: "a test", date: date) }

    var publisher: Publish { Publish(into: store, trusting: anchors, options: options) }

    func browsey() throws -> IPABuilder { SampleApps.browsey(by: authority, at: date) }

    func build(_ ipa: IPABuilder) throws {
        try ipa.build(to: file.path())
    }

    func publish(
        _ ipa: IPABuilder? = nil,
        _ change: (inout PublishOptions) throws -> Void = { _ in },
    ) throws -> PublishedBuild {
        if let ipa { try build(ipa) }
        var options = options
        try change(&options)
        return try Publish(into: store, trusting: anchors, options: options).file(file.path())
    }

    func expectNothingStored() throws {
        #expect(try store.apps().isEmpty)
        #expect(try store.backend.blobs().isEmpty)
        #expect(try store.activity(count: 9).isEmpty)
        let incoming = folder.path() + "store/incoming"
        let left = try? FileManager.default.contentsOfDirectory(atPath: incoming)
        #expect(left?.isEmpty != false)
    }
}
