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

/// Signs published releases again: the same release, the same version, other bytes.
///
/// original IPA → child process → `incoming/` → inspection → blobs → release → activity. Until the
/// release is changed, nothing refers to the new files. The same call again makes the same bytes with an
/// RSA key, as Apple's certificates have; with an elliptic curve each signature is another one.
package struct ReleaseSigner: Sendable {
    private let store: OTAStore
    private let signer: any BuildSigner
    private let anchors: TrustAnchors
    private let clock: @Sendable () -> Date
    private let reserve: Int

    /// - Parameters:
    ///   - store: where releases and teams are.
    ///   - signer: makes the signatures.
    ///   - anchors: who is believed to have signed profiles.
    ///   - reserve: bytes of the disk that stay free.
    ///   - clock: gives the time for which profiles and the result are judged.
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

    /// Signs, and puts the signed file into the store; the release is not changed yet.
    ///
    /// - Parameters:
    ///   - release: what is signed: its original IPA.
    ///   - means: with what.
    ///   - request: who asked and why, and the signing time.
    ///   - name: what the name of the file begins with that the child process writes under
    ///     `incoming/`; each attempt has a file of its own.
    ///   - progress: gets the parts that are done and all parts, on another thread.
    /// - Returns: the signing; nil where it would change nothing.
    /// - Throws: ``ReleaseSigningRefusal``, `SigningRefusal` and what else the signer throws,
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
                // What a server that was killed leaves there is swept up like its other leftovers.
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

    /// The signed file is written twice, where the disk cannot share the bytes: under `incoming/`, and as
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

    /// What is known before the child process begins.
    private struct Prepared: Sendable {
        let input: String
        let output: String
        let profiles: [SigningProfile]
    }

    /// Inspects what the signer wrote, and puts it into the store with its report and statement.
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

    /// Refuses what is not the release any more, or would install nowhere.
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

/// Who asked for signatures and why, and the time that they name.
package struct SigningCause: Sendable {
    /// A token's name, or the user of the command line.
    package let actor: String
    /// The signing time, which is in the past when a step is done again.
    package let date: Date
    package let reason: String

    package init(by actor: String, at date: Date, because reason: String) {
        self.actor = actor
        self.date = date
        self.reason = reason
    }
}
