package import Bundles
package import Bytes
package import Cryptography
package import Foundation
package import Inspection
import Zip

/// Everything that can be known of an IPA without publishing it: what `validate`, `inspect` and
/// `publish` share.
package struct Examination: Sendable {
    private let anchors: TrustAnchors
    private let date: Date

    package init(anchors: TrustAnchors, date: Date) {
        self.anchors = anchors
        self.date = date
    }

    /// Examines a file where it is.
    ///
    /// - Throws: `SourceFailure` when the file cannot be read, `UnreadableArchive` when it is no
    ///   archive of one app or a byte in it is damaged.
    package func examine(
        _ path: String,
        progress: @Sendable (PublishProgress) -> Void = { _ in },
    ) throws -> ExaminedBuild {
        try examine(FileSource(path: path), progress: progress)
    }

    /// Examines bytes that do not change meanwhile; their digests are `known` where they were made as
    /// the bytes came.
    package func examine(
        _ source: any ByteSource,
        digests known: ArchiveDigests? = nil,
        progress: @Sendable (PublishProgress) -> Void = { _ in },
    ) throws -> ExaminedBuild {
        let archive = try readable { () throws(ZipRefusal) in try ZipArchive(reading: source) }
        let inspector = try Inspector(of: archive, trusting: anchors)
        let digests = try hashed(source, known: known) {
            try readable { () throws(ZipRefusal) in
                try verify(archive, feeding: inspector, progress: progress)
            }
        }
        let build = inspector.build(sha256: digests.sha256, at: date)
        return ExaminedBuild(
            application: build.application,
            icon: build.icon,
            report: build.report,
            digests: digests,
        )
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

    /// Hashes on other threads while `body` runs here, and waits for them also when it fails.
    private func hashed(
        _ source: any ByteSource,
        known: ArchiveDigests?,
        while body: () throws -> Void,
    ) throws -> ArchiveDigests {
        if let known {
            try body()
            return known
        }
        let hashing = ArchiveDigesting(of: source)
        let outcome = Result { try body() }
        let digests = Result { () throws(SourceFailure) in try hashing.wait() }
        try outcome.get()
        return try digests.get()
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

/// An IPA of which everything is known.
package struct ExaminedBuild: Sendable {
    package let application: AppBundle
    package let icon: AppIcon
    package let report: InspectionReport
    package let digests: ArchiveDigests

    package var sha256: SHA256Digest { digests.sha256 }
}
