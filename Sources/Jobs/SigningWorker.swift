import Bundles
package import Cryptography
package import Essentials
import Identifiers
package import ReleaseSigning
import Releases
import Sandboxing
package import Store

/// Does the steps of jobs that sign a release again.
package struct SigningWorker: JobWorker {
    private let store: OTAStore
    private let signer: (any BuildSigner)?
    private let anchors: @Sendable () throws -> TrustAnchors

    /// - Parameters:
    ///   - store: where jobs, teams and releases are.
    ///   - signer: makes signatures; nil where nothing on this machine can, which jobs then say.
    ///   - anchors: who is believed to have signed profiles, asked for each step.
    package init(
        _ store: OTAStore,
        by signer: (any BuildSigner)?,
        trusting anchors: @escaping @Sendable () throws -> TrustAnchors,
    ) {
        self.store = store
        self.signer = signer
        self.anchors = anchors
    }

    /// How the files begin that the child process writes under `incoming/`.
    private static let prefix = "signing-"

    /// A build is as large as an upload; what a killed process left of one must not stay for ever, whatever
    /// becomes of its job.
    package func tidy() async {
        guard let folder = store.backend.localFolder else { return }
        let incoming = folder.incoming
        _ = try? await blocking {
            for name in try FileManager.default.contentsOfDirectory(atPath: incoming)
            where name.hasPrefix(Self.prefix) {
                try? FileManager.default.removeItem(atPath: incoming + "/" + name)
            }
        }
    }

    package func step(_ job: Job) async throws -> JobProgress {
        guard let task = job.signing, let app = job.app, let identifier = job.release else {
            return .done()
        }
        let store = store
        let found = try await blocking { try store.release(identifier, of: app) }
        guard let release = found else { throw ReleaseRefusal.unknownRelease(identifier) }
        guard SigningStep(rawValue: job.step) == .record, let made = task.made else {
            return try await sign(release, task, job)
        }
        return try await record(made, of: release)
    }

    /// The child process signs; afterwards everything is in the store but the word that it counts.
    private func sign(
        _ release: Release,
        _ task: SigningTask,
        _ job: Job,
    ) async throws -> JobProgress {
        guard let signer else { throw ReleaseSigningRefusal.noSigner }
        let (store, anchors) = (store, anchors)
        let (trusted, means) = try await blocking {
            let trusted = try anchors()
            return (trusted, try task.means(in: store, trusting: trusted, at: job.created))
        }
        let meter = JobMeter(store, job.identifier)
        let signing = try await ReleaseSigner(store, by: signer, trusting: trusted).sign(
            release,
            with: means,
            // When it was asked for: a step that is done again makes the same bytes.
            for: SigningCause(by: job.by, at: job.created, because: task.reason),
            through: Self.prefix + "\(job.identifier).ipa",
            progress: { meter.note($0, of: $1) },
        )
        guard let signing else {
            return .done { job in
                job.signing?.isUnchanged = true
                job.reason = "the release has these profiles already"
            }
        }
        return .then(SigningStep.record.rawValue) { $0.signing?.made = signing }
    }

    private func record(_ made: Release.Signing, of release: Release) async throws -> JobProgress {
        let store = store
        do {
            try await blocking {
                let signed = release.signed(as: made)
                try store.record(
                    made,
                    of: release.identifier,
                    in: release.bundleIdentifier,
                    report: try store.report(of: signed),
                )
            }
        } catch StoreFailure.missingBlob {
            // Collected, because the job waited for long.
            return .then(SigningStep.sign.rawValue) { $0.signing?.made = nil }
        }
        return .done { job in
            job.reason = nil
            job.devices = made.devices
        }
    }
}

extension SigningTask {
    /// The team's identity, and its profiles or those that were given.
    ///
    /// - Throws: ``ReleaseSigningRefusal``, `ProfileRefusal`, and `StoreFailure`.
    package func means(
        in store: OTAStore,
        trusting anchors: TrustAnchors,
        at date: Date,
    ) throws -> SigningMeans {
        guard let identifier = TeamIdentifier(team), let team = try store.team(identifier) else {
            throw TeamRefusal.unknown(team)
        }
        return try SigningMeans(
            team,
            given: profiles.map { try store.bytes(of: $0, atMost: Self.profileLimit) },
            in: store,
            trusting: anchors,
            at: date,
        )
    }

    /// Bytes of a profile; one with a hundred devices takes twenty thousand.
    package static let profileLimit = 1 << 20
}
