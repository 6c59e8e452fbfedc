import Bundles
package import Cryptography
package import Essentials
import Identifiers
import Inspection
package import ReleaseSigning
import Releases
import Sandboxing
package import Store

/// Performs the steps of jobs that sign a release again.
package struct SigningWorker: JobWorker {
    private let store: OTAStore
    private let signer: (any BuildSigner)?
    private let anchors: @Sendable () throws -> TrustAnchors
    private let clock: @Sendable () -> Date
    private let reserve: Int

    /// Seconds for which a repeated step uses the same signing time.
    private static let sameTime: TimeInterval = 3600

    /// - Parameters:
    ///   - store: the store with jobs, teams and releases.
    ///   - signer: makes signatures; nil if nothing on this machine can, with which jobs then fail.
    ///   - reserve: bytes of the disk that stay free.
    ///   - clock: returns the time at which identity, profiles and result must be valid in each step.
    ///   - anchors: returns the trust anchors for profiles, called in each step.
    package init(
        _ store: OTAStore,
        by signer: (any BuildSigner)?,
        keepingFree reserve: Int = 0,
        clock: @escaping @Sendable () -> Date,
        trusting anchors: @escaping @Sendable () throws -> TrustAnchors,
    ) {
        self.store = store
        self.signer = signer
        self.reserve = reserve
        self.clock = clock
        self.anchors = anchors
    }

    /// The prefix of the files that the child process writes under `incoming/`.
    private static let prefix = "signing-"

    /// Removes what killed processes left: a build is as large as an upload, and its job may be gone.
    package func tidy() async {
        guard let folder = store.workFolder else { return }
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
        return try await record(made, of: release, for: task)
    }

    /// Has the child process sign; afterwards everything is stored, but not yet recorded in the release.
    ///
    /// The signing time is recorded before anything is made, and again if it is old, or if the certificate
    /// or a profile was not yet valid then.
    private func sign(
        _ release: Release,
        _ task: SigningTask,
        _ job: Job,
    ) async throws -> JobProgress {
        guard let signer else { throw ReleaseSigningRefusal.noSigner }
        let (store, anchors, now) = (store, anchors, clock())
        let (trusted, means) = try await blocking {
            let trusted = try anchors()
            return (trusted, try task.means(in: store, trusting: trusted, at: now))
        }
        guard let begun = task.begun, begun <= now, now < begun + Self.sameTime,
            begun >= means.begins || means.begins > now
        else {
            return .then(SigningStep.sign.rawValue) { job in
                // In whole seconds, as in documents.
                let seconds = now.timeIntervalSince1970.rounded(.down)
                job.signing?.begun = Date(timeIntervalSince1970: seconds)
            }
        }
        let releases = ReleaseSigner(
            store,
            by: signer,
            trusting: trusted,
            keepingFree: reserve,
            clock: clock,
        )
        let meter = JobMeter(store, job.identifier)
        let signing = try await releases.sign(
            release,
            with: means,
            for: SigningCause(by: job.by, at: begun, because: task.reason),
            through: Self.prefix + job.identifier.rawValue,
            progress: { meter.note($0, of: $1) },
        )
        guard let signing else {
            return .done { job in
                job.signing?.isUnchanged = true
                job.reason = "the release has these profiles already"
            }
        }
        let basis = SigningTask.Basis(replaced: release.sha256, certificate: means.certificate)
        return .then(SigningStep.record.rawValue) { job in
            job.signing?.made = signing
            job.signing?.basis = basis
        }
    }

    /// Records the signing in the release, unless something has changed since it was made.
    private func record(
        _ made: Release.Signing,
        of release: Release,
        for task: SigningTask,
    ) async throws -> JobProgress {
        let (store, anchors, now) = (store, anchors, clock())
        let isRecorded: Bool
        do {
            isRecorded = try await blocking {
                let report = try store.report(of: release.signed(as: made))
                guard try task.stillHolds(for: release, report, in: store, anchors(), at: now)
                else { return false }
                try store.record(
                    made,
                    of: release.identifier,
                    in: release.bundleIdentifier,
                    report: report,
                )
                return true
            }
        } catch StoreFailure.missingBlob {
            // The blob was garbage-collected, because the job waited for long.
            isRecorded = false
        }
        guard isRecorded else {
            return .then(SigningStep.sign.rawValue) { $0.signing?.startOver() }
        }
        return .done { job in
            job.reason = nil
            job.devices = made.devices
        }
    }
}

extension SigningTask {
    /// Whether the signing may be recorded: the release is unchanged since it was made, and the team would
    /// still sign with the same certificate and profiles.
    ///
    /// This also holds if an earlier run of the step has recorded it.
    fileprivate func stillHolds(
        for release: Release,
        _ report: InspectionReport,
        in store: OTAStore,
        _ anchors: TrustAnchors,
        at now: Date,
    ) throws -> Bool {
        guard let made else { return false }
        if release.signings?.contains(where: { $0.sha256 == made.sha256 }) == true { return true }
        guard let basis, basis.replaced == release.sha256,
            report.verdict(at: now).verdict != .blocked
        else { return false }
        let means = try means(in: store, trusting: anchors, at: now)
        return means.certificate == basis.certificate && means.stillAllow(made, at: now)
    }

    /// The team's identity, and its profiles or the given ones.
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

    /// The largest profile in bytes; one with a hundred devices takes about 20,000.
    package static let profileLimit = 1 << 20
}
