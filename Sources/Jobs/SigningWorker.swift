import Bundles
package import Cryptography
package import Essentials
import Identifiers
import Inspection
package import ReleaseSigning
import Releases
import Sandboxing
package import Store

/// Does the steps of jobs that sign a release again.
package struct SigningWorker: JobWorker {
    private let store: OTAStore
    private let signer: (any BuildSigner)?
    private let anchors: @Sendable () throws -> TrustAnchors
    private let clock: @Sendable () -> Date
    private let reserve: Int

    /// Seconds for which a step that is done again names the same signing time.
    private static let sameTime: TimeInterval = 3600

    /// - Parameters:
    ///   - store: where jobs, teams and releases are.
    ///   - signer: makes signatures; nil where nothing on this machine can, which jobs then say.
    ///   - reserve: bytes of the disk that stay free.
    ///   - clock: gives the time for which identity, profiles and result are judged in each step.
    ///   - anchors: who is believed to have signed profiles, asked for each step.
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

    /// How the files begin that the child process writes under `incoming/`.
    private static let prefix = "signing-"

    /// A build is as large as an upload; what a killed process left of one must not stay for ever, whatever
    /// becomes of its job.
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

    /// The child process signs; afterwards everything is in the store but the word that it counts.
    ///
    /// The signing time is noted before anything is made, and again when it is old, or earlier than what
    /// signs.
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
                // As documents keep it.
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

    /// The signing becomes the release's, unless something has happened since it was made.
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
            // Collected, because the job waited for long.
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
    /// Whether what was made may be recorded: the release is still as it was when that was made, and the
    /// team would still sign with the same certificate and profiles.
    ///
    /// A step that was done before holds in any case: the release has the signing already.
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
