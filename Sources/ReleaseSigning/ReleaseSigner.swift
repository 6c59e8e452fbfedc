import Bundles
import Bytes
package import Cryptography
package import Essentials
import Identifiers
import Inspection
import Provenance
import Publishing
package import Releases
import Sandboxing
import Signing
package import Store

/// Re-signs published releases: the release and its version stay the same, the bytes change.
///
/// original IPA → child process → `incoming/` → inspection → blobs → release → activity. Nothing refers
/// to the new files until the release is changed. With an RSA key, as in Apple's certificates, the same
/// call gives the same bytes; signatures with an elliptic curve key differ each time.
package struct ReleaseSigner: Sendable {
    private let store: OTAStore
    private let signer: any BuildSigner
    private let anchors: TrustAnchors
    private let clock: @Sendable () -> Date
    private let reserve: Int

    /// - Parameters:
    ///   - store: the store with releases and teams.
    ///   - signer: creates the signatures.
    ///   - anchors: the trusted authorities for profiles.
    ///   - reserve: the number of bytes to keep free on the disk.
    ///   - clock: returns the date at which profiles and the result are judged.
    package init(
        _ store: OTAStore,
        by signer: any BuildSigner,
        trusting anchors: TrustAnchors,
        keepingFree reserve: Int = 0,
        clock: @escaping @Sendable () -> Date,
    ) {
        self.store = store
        self.signer = signer
        self.anchors = anchors
        self.reserve = reserve
        self.clock = clock
    }

    /// Signs the release and adds the signed file to the store, without changing the release.
    ///
    /// - Parameters:
    ///   - release: the release, whose original IPA is signed.
    ///   - means: the identity and profiles.
    ///   - request: the person, the reason and the signing time.
    ///   - name: the prefix for the file that the child process writes to `incoming/`; each attempt has
    ///     its own file.
    ///   - progress: called on another thread with the number of completed parts, and the total.
    /// - Returns: the signing; nil when it would change nothing.
    /// - Throws: ``ReleaseSigningRefusal``, `SigningRefusal` and other errors of the signer,
    ///   `StoreFailure`.
    package func sign(
        _ release: Release,
        with means: SigningMeans,
        for request: SigningCause,
        through name: String,
        progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in },
    ) async throws -> Release.Signing? {
        let (store, anchors, clock, reserve) = (store, anchors, clock, reserve)
        let prepared = try await blocking { () throws -> Prepared? in
            let proposal = try means.proposal(for: release, in: store, at: clock())
            guard !proposal.isUnchanged else { return nil }
            try Self.requireRoom(for: release, in: store, keepingFree: reserve)
            guard let folder = store.workFolder else { throw ReleaseSigningRefusal.noFolder }
            return Prepared(
                input: try store.file(of: release.original.sha256),
                // If the server is killed, the file is removed like its other leftovers.
                output: "\(folder.incoming)/\(name)-\(Hex.encode(randomBytes(8))).tmp",
                profiles: proposal.choice.profiles,
            )
        }
        guard let prepared else { return nil }
        let output = prepared.output
        defer { _ = unsafe unlink(output) }
        var work = SigningWork(
            prepared.input,
            to: output,
            team: means.team.identifier.rawValue,
            profiles: prepared.profiles,
            at: request.date,
        )
        work.progress = progress
        try await signer.sign(work)
        return try await blocking {
            try Self.keep(
                output,
                of: release,
                for: request,
                in: store,
                trusting: anchors,
                at: clock(),
            )
        }
    }

    /// The signed file is written twice if the file system cannot share the bytes: to `incoming/`, and as
    /// a blob.
    private static func requireRoom(
        for release: Release,
        in store: OTAStore,
        keepingFree reserve: Int,
    ) throws {
        guard let free = try store.backend.freeSpace() else { return }
        let (size, isTooMuch) = release.original.size.multipliedReportingOverflow(by: 2)
        guard !isTooMuch, size <= free - min(reserve, free) else {
            throw ReleaseSigningRefusal.noRoom(size, free: free, reserve: reserve)
        }
    }

    /// The input of the child process.
    private struct Prepared: Sendable {
        let input: String
        let output: String
        let profiles: [SigningProfile]
    }

    /// Inspects the signer's output, and adds it to the store with its report and statement.
    private static func keep(
        _ file: String,
        of release: Release,
        for request: SigningCause,
        in store: OTAStore,
        trusting anchors: TrustAnchors,
        at now: Date,
    ) throws -> Release.Signing {
        let incoming = try store.backend.receive()
        try incoming.append(contentsOf: file) { _ in }
        let build = try Examination(anchors: anchors, date: now)
            .examine(incoming.source())
        try check(build, is: release)
        try incoming.commit(as: build.sha256)
        var signing = Release.Signing(
            Release.Artifact(
                sha256: build.sha256,
                size: build.digests.size,
                chunks: build.digests.chunks,
                icons: release.icons,
                report: try store.put(OTAStore.encoded(build.report)),
            ),
            report: build.report,
            from: release.original.sha256,
            date: request.date,
            by: request.actor,
            reason: request.reason,
        )
        let statement = ProvenanceStatement(
            of: release,
            instance: try store.settings().instance,
            signing: signing,
        )
        let envelope = try SignedEnvelope(
            signing: statement.json(),
            type: ProvenanceStatement.payloadType,
            with: store.provenanceKey(),
        )
        signing.provenance = try store.put(envelope.json())
        return signing
    }

    /// Refuses a result that is another release, or that no device can install.
    private static func check(
        _ build: ExaminedBuild,
        is release: Release,
    ) throws(ReleaseSigningRefusal) {
        let identity = build.report.identity
        let found = [
            identity.bundleIdentifier?.rawValue, identity.version, identity.build,
        ]
        let expected = [release.bundleIdentifier.rawValue, release.version, release.build]
        guard found == expected else {
            throw .otherBuild(
                found: found.compactMap(\.self).joined(separator: " "),
                expected: expected.joined(separator: " "),
            )
        }
        guard !build.report.findings.contains(where: \.blocksEveryDevice) else {
            throw .blocked(build.report)
        }
    }
}

/// Who requested signatures and why, with the signing time.
package struct SigningCause: Sendable {
    /// The name of a token, or the user of the command line.
    package let actor: String
    /// The signing time, which is in the past when a step is repeated.
    package let date: Date
    package let reason: String

    package init(by actor: String, at date: Date, because reason: String) {
        self.actor = actor
        self.date = date
        self.reason = reason
    }
}
