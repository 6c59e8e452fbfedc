import Bytes
package import Essentials
package import Identifiers
package import Releases

/// Work that takes longer than a request: `jobs/{identifier}.json`.
///
/// The documents are the queue. Each step of a job can be repeated, so that nothing is lost if the process
/// is killed, and every change of a job is one compare-and-swap.
package struct Job: Codable, Sendable, Equatable {
    /// The kind of work.
    package enum Kind: String, WordCoded, Sendable {
        /// Registers devices with Apple.
        case registerDevice = "register-device"
        /// Replaces a profile before it expires.
        case renewProfile = "renew-profile"
        /// Signs a published release again.
        case sign
        /// Replaces a certificate before it expires.
        case renewCertificate = "renew-certificate"
    }

    package enum State: String, WordCoded, Sendable {
        /// The job is due at ``Job/next``.
        case waiting
        case running
        case done
        /// The job was refused, or the last allowed attempt failed.
        case failed
        case cancelled

        package var isOver: Bool { self != .waiting && self != .running }
    }

    package var schema = 1
    package let identifier: JobIdentifier
    package let kind: Kind
    package let app: BundleIdentifier?
    package let release: ReleaseIdentifier?
    /// The team in whose developer account the job works; nil for a job that needs none.
    package let team: TeamIdentifier?
    /// The number of devices that benefit from it; nil if unknown.
    package var devices: Int?
    package var state = State.waiting
    /// The next step, or the last one of a job that is over: one of the kind's step names.
    package var step: String
    /// The number of attempts since the job was requested or last retried.
    package var attempts = 0
    /// When the current series of failed attempts began; nil after an attempt that did not fail.
    package var failing: Date?
    /// What the job is needed for, if the server requested it: the server does not begin another one for
    /// the same need soon after.
    package var need: String?
    /// A mark of the team's state when the current step began; nil if no account was opened.
    ///
    /// A job that waits for an admin continues once the team has changed.
    package var teamMark: String?
    /// The number of processes in a row that ended during the current step; nil for none.
    package var crashes: Int?
    /// The progress of the current step; nil if unknown.
    package var progress: JobParts?
    /// When the job is due; nil once it is over.
    package var next: Date?
    /// Why it waits, failed or had nothing to do, as one clause.
    package var reason: String?
    /// How to fix ``reason``.
    package var fix: String?
    package let created: Date
    package var changed: Date
    /// Who requested the job: a token's name, or the user of the command line.
    package private(set) var by: String
    /// Who cancelled the job.
    package var cancelledBy: String?
    /// The state of a ``Kind/sign`` job.
    package var signing: SigningTask?
    /// The state of a ``Kind/registerDevice`` job.
    package var registration: RegistrationTask?
    /// The state of a ``Kind/renewProfile`` job.
    package var renewal: RenewalTask?
    /// The state of a ``Kind/renewCertificate`` job.
    package var certificate: CertificateTask?

    package init(
        _ identifier: JobIdentifier,
        toSign release: ReleaseIdentifier,
        of app: BundleIdentifier,
        as order: SigningTask,
        by actor: String,
        at date: Date,
    ) {
        self.identifier = identifier
        kind = .sign
        self.app = app
        self.release = release
        team = nil
        step = SigningStep.sign.rawValue
        next = date
        created = date
        changed = date
        by = actor
        signing = order
    }

    /// Creates a job in the developer account of a team.
    ///
    /// - Parameters:
    ///   - identifier: the job's identifier.
    ///   - kind: any kind but ``Kind/sign``; its state begins empty.
    ///   - team: the team in whose account the job works.
    ///   - reason: why it is needed, as one clause; kept in its state.
    ///   - actor: who requested it, or `ota` for the server itself.
    ///   - date: the current time.
    ///   - due: when it is begun at the earliest.
    package init(
        _ identifier: JobIdentifier,
        _ kind: Kind,
        for team: TeamIdentifier,
        because reason: String,
        by actor: String,
        at date: Date,
        due: Date,
    ) {
        self.identifier = identifier
        self.kind = kind
        self.team = team
        app = nil
        release = nil
        next = due
        created = date
        changed = date
        by = actor
        switch kind {
        case .registerDevice:
            step = RegistrationStep.register.rawValue
            registration = RegistrationTask(reason: reason)
        case .renewProfile:
            step = RenewalStep.plan.rawValue
            renewal = RenewalTask(reason: reason)
        case .renewCertificate:
            step = CertificateStep.request.rawValue
            certificate = CertificateTask(reason: reason)
        case .sign: step = SigningStep.sign.rawValue
        }
    }

    private enum CodingKeys: String, CodingKey {
        case schema, kind, app, release, team, devices, state, step, attempts, failing, need
        case teamMark, crashes, progress, next, reason, fix, created, changed, by, cancelledBy
        case signing, registration, renewal, certificate
        case identifier = "id"
    }

    /// The jobs of one lane run one after the other.
    ///
    /// Lanes run in parallel, so that slow responses from Apple delay nothing else.
    var lane: String { team.map { "apple \($0)" } ?? "sign" }

    /// Replaces the job with a newer request: of several jobs waiting to sign the same release, only the
    /// last would count.
    mutating func ask(for newer: Job) {
        by = newer.by
        devices = newer.devices
        signing = newer.signing
        step = newer.step
        next = newer.next
        attempts = 0
        crashes = nil
        reason = nil
        fix = nil
        cancelledBy = nil
    }

    /// Whether both jobs sign the same release.
    func signsSameRelease(as other: Job) -> Bool {
        kind == .sign && other.kind == .sign && app == other.app && release == other.release
    }

    /// Whether the job may be begun now.
    package func isDue(at date: Date) -> Bool {
        state == .waiting && next.map { $0 <= date } ?? true
    }
}

extension Job {
    /// The job as part of a sentence: `sign Browsey 2.4.0 (318) again`.
    ///
    /// - Parameter title: the app's name; nil if unknown.
    /// - Returns: text that follows an actor and a verb.
    package func words(app title: String?) -> String {
        let app = title ?? app?.rawValue
        let what = [app, release?.words].compactMap(\.self).joined(separator: " ")
        let owner = team.map { " of team \($0)" } ?? ""
        return switch kind {
        case .sign: "sign \(what) again"
        case .registerDevice: "register devices\(owner) with Apple"
        case .renewProfile: "renew the profiles\(owner)"
        case .renewCertificate: "renew the certificate\(owner)"
        }
    }
}
