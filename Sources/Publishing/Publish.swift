import Bundles
package import Bytes
package import Cryptography
import Essentials
import Inspection
package import Releases
package import Store

/// The main flow: a file becomes a release that testers see.
///
/// file → `incoming/` → archive → bundle → report → blobs → release → channel → activity. Nothing is
/// visible before the channel is changed, nothing refers to something that does not exist yet, and
/// repeating the call with the same bytes changes nothing.
package struct Publish: Sendable {
    private let store: OTAStore
    private let anchors: TrustAnchors
    private let options: PublishOptions
    private let admission: @Sendable (Release.Identity) throws -> Void
    private let progress: @Sendable (PublishProgress) -> Void

    /// If `admission` throws, which is called once the build's identity is known, nothing is stored;
    /// `progress` is called often and from several threads.
    package init(
        into store: OTAStore,
        trusting anchors: TrustAnchors,
        options: PublishOptions,
        progress: @escaping @Sendable (PublishProgress) -> Void = { _ in },
        admission: @escaping @Sendable (Release.Identity) throws -> Void = { _ in },
    ) {
        self.store = store
        self.anchors = anchors
        self.options = options
        self.admission = admission
        self.progress = progress
    }

    /// Publishes a file, which stays where it is.
    ///
    /// The copy in the store is inspected, so the file may change in the meantime.
    ///
    /// - Throws: `UnreadableArchive`, ``PublishRefusal`` and ``ReleaseRefusal`` for the build,
    ///   `SourceFailure` for the file, ``StoreFailure`` for the store.
    package func file(_ path: String) throws -> PublishedBuild {
        let file = try FileSource(path: path)
        guard !options.isDryRun else { return try rehearse(file, sha256: nil) }
        let incoming = try copy(path, of: file.count)
        return try arrived(incoming, sha256: nil)
    }

    /// Publishes bytes that have arrived in the store's `incoming/`.
    ///
    /// `sha256` is the digest that was computed while they arrived; nil to compute it.
    package func arrived(
        _ incoming: any IncomingBlob,
        sha256: SHA256Digest?,
    ) throws -> PublishedBuild {
        let source = try incoming.source()
        // Bytes are sent to a remote store while they are inspected.
        let early = store.backend.earlyPut(of: source)
        defer { early?.end() }
        let examined = try examine(source, sha256: sha256) { early?.begin(as: $0) }
        let identity = try admit(examined)
        let build = try examined.judged(as: identity, in: store, on: options.channel)

        progress(PublishProgress(.storing, done: 0, of: source.count))
        try incoming.commit(as: build.sha256)
        let release = try store.attested(release(of: build, identity))
        let publication = try store.publish(
            release,
            report: build.report,
            replace: options.replace,
            until: options.channelLife?.end(from: options.date),
        )
        progress(PublishProgress(.storing, done: source.count, of: source.count))

        return PublishedBuild(
            release: publication.release,
            channel: options.channel,
            app: publication.app,
            isCreated: publication.isCreated,
            report: build.report,
            remarks: [options.remarkOnTag].compactMap(\.self)
                + (publication.isCreated ? [] : options.remarks(on: publication)),
        )
    }

    /// Does everything but storing.
    ///
    /// `sha256` is the digest of the bytes; nil to compute it.
    package func rehearse(
        _ source: any ByteSource,
        sha256: SHA256Digest?,
    ) throws -> PublishedBuild {
        let examined = try examine(source, sha256: sha256)
        let identity = try admit(examined)
        let build = try examined.judged(as: identity, in: store, on: options.channel)
        let release = try build.release(options)
        let there = try store.release(release.identifier, of: identity.bundleIdentifier)
        let same = there.flatMap { $0.archive(build.sha256) == nil ? nil : $0 }
        return PublishedBuild(
            release: there ?? release,
            channel: options.channel,
            app: try store.app(identity.bundleIdentifier),
            isCreated: same == nil,
            report: build.report,
            remarks: same.map(options.unnoted) ?? [],
        )
    }

    private func copy(_ path: String, of total: Int) throws -> any IncomingBlob {
        let incoming = try store.backend.receive()
        var done = 0
        progress(PublishProgress(.copying, done: 0, of: total))
        try incoming.append(contentsOf: path) { count in
            done += count
            progress(PublishProgress(.copying, done: done, of: total))
        }
        return incoming
    }

    private func examine(
        _ source: any ByteSource,
        sha256: SHA256Digest?,
        digested: @escaping @Sendable (SHA256Digest) -> Void = { _ in },
    ) throws -> ExaminedBuild {
        let count = options.notes.utf8.count
        guard count <= PublishOptions.notesLimit else { throw PublishRefusal.notesTooLong(count) }
        return try Examination(anchors: anchors, date: options.date)
            .examine(source, sha256: sha256, digested: digested, progress: progress)
    }

    /// Before anything is stored, refuses a build that could not be installed on any device, or whose
    /// version and build number another release has.
    private func admit(_ build: ExaminedBuild) throws -> Release.Identity {
        let identity = try build.publishableIdentity(options)
        try admission(identity)
        // Only a preliminary check, which is repeated when the channel's document is written; reading the
        // current document of a remote store costs a request.
        let app = try store.app(identity.bundleIdentifier, isCurrent: !store.isElsewhere)
        try ReleaseRefusal.checkUse(of: app)
        let end = options.channelLife?.end(from: options.date)
        if end != nil { try ReleaseRefusal.checkEnd(of: options.channel, in: app) }
        try ReleaseRefusal.checkOpening(
            of: options.channel,
            until: end,
            in: app,
            at: options.date,
        )
        let identifier = ReleaseIdentifier(version: identity.version, build: identity.build)
        if let there = try store.release(identifier, of: identity.bundleIdentifier) {
            try ReleaseRefusal.check(there, against: build.sha256, replace: options.replace)
        }
        return identity
    }

    private func release(
        of build: ExaminedBuild,
        _ identity: Release.Identity,
    ) throws -> Release {
        let there = try earlier(build, identity)
        let icons = there.flatMap(icons) ?? build.icon.set
        let earlier = there?.archive(build.sha256)?.report
        let report =
            try earlier.flatMap { try? store.bytes(of: $0) } ?? OTAStore.encoded(build.report)
        return build.release(
            identity,
            icons: Release.Icons(
                small: try store.put(icons.png57),
                large: try store.put(icons.png512),
            ),
            report: try store.put(report),
            options,
        )
    }

    /// The existing release with the same bytes.
    ///
    /// Its report and icons are stored again, like everything else, so that they are not garbage-collected.
    /// New ones would differ in a date or in rendering, and nothing would refer to them.
    private func earlier(_ build: ExaminedBuild, _ identity: Release.Identity) throws -> Release? {
        let identifier = ReleaseIdentifier(version: identity.version, build: identity.build)
        let there = try store.release(identifier, of: identity.bundleIdentifier)
        return there?.archive(build.sha256) == nil ? nil : there
    }

    /// A release's stored icons; nil if they are damaged and have to be made again.
    private func icons(of release: Release) -> IconSet? {
        guard let small = try? store.bytes(of: release.icons.small),
            let large = try? store.bytes(of: release.icons.large)
        else { return nil }
        return IconSet(png57: small, png512: large)
    }
}
