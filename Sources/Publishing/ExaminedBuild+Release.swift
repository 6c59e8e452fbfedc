import Bundles
import Cryptography
import Inspection
package import Releases
import Store

extension ExaminedBuild {
    /// Returns the release for a build, for a place other than the store.
    ///
    /// - Throws: ``PublishRefusal`` if it could not be installed on any device, or lacks a name or version.
    package func release(_ options: PublishOptions) throws -> Release {
        let identity = try publishableIdentity(options)
        let icons = icon.set
        return release(
            identity,
            icons: Release.Icons(
                small: SHA256Digest(of: icons.png57),
                large: SHA256Digest(of: icons.png512),
            ),
            report: SHA256Digest(of: try OTAStore.encoded(report)),
            options,
        )
    }

    /// Returns the identity of the release.
    ///
    /// - Throws: ``PublishRefusal``, as ``release(_:)`` does.
    func publishableIdentity(
        _ options: PublishOptions
    ) throws(PublishRefusal) -> Release.Identity {
        guard !report.findings.contains(where: \.blocksEveryDevice) else {
            throw .blocked(report)
        }
        let identity = try Release.Identity(of: self)
        try options.check(version: identity.version)
        return identity
    }

    func release(
        _ identity: Release.Identity,
        icons: Release.Icons,
        report digest: SHA256Digest,
        _ options: PublishOptions,
    ) -> Release {
        Release(
            report: report,
            identity: identity,
            artifact: Release.Artifact(
                sha256: digests.sha256,
                size: digests.size,
                chunks: digests.chunks,
                icons: icons,
                report: digest,
            ),
            publication: Release.Publication(
                date: options.date,
                publisher: options.publisher,
                channel: options.channel,
                notes: options.notes,
                tag: options.tag,
                commit: options.commit,
                origin: options.origin.flatMap { $0.isEmpty ? nil : $0 },
                isBuiltHere: options.isBuiltHere,
                isSignedHere: options.isSignedHere,
            ),
        )
    }
}
