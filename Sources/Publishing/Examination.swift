package import Bundles
package import Bytes
package import Cryptography
package import Essentials
package import Inspection
import Zip

/// Inspection of an IPA without publishing it, which `validate`, `inspect` and `publish` share.
package struct Examination: Sendable {
    private let anchors: TrustAnchors
    private let date: Date

    package init(anchors: TrustAnchors, date: Date) {
        self.anchors = anchors
        self.date = date
    }

    /// Inspects a build that will not be published.
    ///
    /// - Throws: `SourceFailure` if the file cannot be read, `UnreadableArchive` if it is not an archive of
    ///   one app or is damaged.
    package func inspect(
        _ source: any ByteSource,
        progress: @Sendable (PublishProgress) -> Void = { _ in },
    ) throws -> InspectedBuild {
        let digest = Background { () throws(SourceFailure) in
            try ArchiveDigesting.digest(of: source, 0..<source.count)
        }
        let inspector = Result { try verified(source, progress: progress) }
        let sha256 = digest.wait()
        return try inspector.get().build(sha256: sha256.get(), at: date)
    }

    /// Inspects a build that may become a release, whose bytes must not change in the meantime.
    ///
    /// - Parameters:
    ///   - source: the bytes.
    ///   - known: their digest, if it was computed while they arrived.
    ///   - digested: receives the digest as soon as it is known, on any thread.
    ///   - progress: called often and from several threads.
    /// - Returns: the inspected build.
    /// - Throws: what ``inspect(_:progress:)`` throws.
    package func examine(
        _ source: any ByteSource,
        sha256 known: SHA256Digest? = nil,
        digested: @escaping @Sendable (SHA256Digest) -> Void = { _ in },
        progress: @Sendable (PublishProgress) -> Void = { _ in },
    ) throws -> ExaminedBuild {
        let hashing = ArchiveDigesting(of: source, knowing: known, digested: digested)
        let inspector = Result { try verified(source, progress: progress) }
        let made = Result { () throws(SourceFailure) in try hashing.wait() }
        let judge = try inspector.get()
        let digests = try made.get()
        return ExaminedBuild(judge.build(sha256: digests.sha256, at: date), digests)
    }

    /// Reads every entry of the archive once, and verifies its checksum.
    private func verified(
        _ source: any ByteSource,
        progress: @Sendable (PublishProgress) -> Void,
    ) throws(UnreadableArchive) -> Inspector {
        let archive = try readable { () throws(ZipRefusal) in try ZipArchive(reading: source) }
        let inspector = try Inspector(of: archive, trusting: anchors)
        try readable { () throws(ZipRefusal) in
            try verify(archive, feeding: inspector, progress: progress)
        }
        return inspector
    }

    private func verify(
        _ archive: ZipArchive,
        feeding inspector: Inspector,
        progress: @Sendable (PublishProgress) -> Void,
    ) throws(ZipRefusal) {
        let total = archive.compressedSize
        progress(PublishProgress(.checking, done: 0, of: total))
        let threads = ProcessInfo.processInfo.activeProcessorCount
        var refusal: ZipRefusal?
        withoutActuallyEscaping(progress) { progress in
            do throws(ZipRefusal) {
                try archive.verify(
                    threads: threads,
                    progress: { progress(PublishProgress(.checking, done: $0, of: total)) },
                    sink: inspector.sink,
                )
            } catch {
                refusal = error
            }
        }
        if let refusal { throw refusal }
    }

    private func readable<Value>(
        _ body: () throws(ZipRefusal) -> Value
    ) throws(UnreadableArchive) -> Value {
        do throws(ZipRefusal) {
            return try body()
        } catch {
            throw UnreadableArchive(error)
        }
    }
}

/// A completely inspected IPA.
package struct ExaminedBuild: Sendable {
    package let application: AppBundle
    package let icon: AppIcon
    package private(set) var report: InspectionReport
    package let digests: ArchiveDigests

    init(_ build: InspectedBuild, _ digests: ArchiveDigests) {
        application = build.application
        icon = build.icon
        report = build.report
        self.digests = digests
    }

    package var sha256: SHA256Digest { digests.sha256 }

    /// The same build with another report.
    func with(report: InspectionReport) -> ExaminedBuild {
        var build = self
        build.report = report
        return build
    }
}
