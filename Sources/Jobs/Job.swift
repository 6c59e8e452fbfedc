import Bytes
package import Essentials
package import Identifiers
package import Releases

/// Work that takes longer than a request: `jobs/{identifier}.json`.
///
/// The documents are the queue. Each step of a job can be done again, so that whatever ends the process
/// loses nothing, and every change of a job is one compare-and-swap.
package struct Job: Codable, Sendable, Equatable {
    /// What is to be done.
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
        /// It is due at ``Job/next``.
        case waiting
        case running
        case done
        /// It was refused, or tried as often as may be.
        case failed
        case cancelled

        package var isOver: Bool { self != .waiting && self != .running }
    }

    package var schema = 1
    package let identifier: JobIdentifier
    package let kind: Kind
    package let app: BundleIdentifier?
    package let release: ReleaseIdentifier?
    /// Whose developer account it works in; nil for a job that needs none.
    package let team: TeamIdentifier?
    /// How many devices gain by it; nil where that is not known.
    package var devices: Int?
    package var state = State.waiting
    /// What is done next, or was done last: a word of the kind's own.
    package var step: String
    /// How often it was begun since it was asked for, or for another try.
    package var attempts = 0
    /// Since when each attempt has failed; nil after one that did not.
    package var failing: Date?
    /// What asked for it, where the server did: another job for the same is not begun soon after.
    package var need: String?
    /// What its team was like when its present step began; nil where no account was opened.
    ///
    /// A job that waits for an admin continues once the team has changed.
    package var teamMark: String?
    /// How many processes in a row have ended while they did its present step; nil for none.
    package var crashes: Int?
    /// How far its present step has come; nil where that is not known.
    package var progress: JobParts?
    /// When it is due; nil once it is over.
    package var next: Date?
    /// Why it waits, failed or had nothing to do, as one clause.
    package var reason: String?
    /// What to do about ``reason``.
    package var fix: String?
    package let created: Date
    package var changed: Date
    /// Who asked for it: a token's name, or the user of the command line.
    package private(set) var by: String
    /// Who wants it to end.
    package var cancelledBy: String?
    /// Of ``Kind/sign``.
    package var signing: SigningTask?
    /// Of ``Kind/registerDevice``.
    package var registration: RegistrationTask?
    /// Of ``Kind/renewProfile``.
    package var renewal: RenewalTask?
    /// Of ``Kind/renewCertificate``.
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

    /// A job in the developer account of a team.
    ///
    /// - Parameters:
    ///   - identifier: of its document.
    ///   - kind: any but ``Kind/sign``; its task begins empty.
    ///   - team: whose account it works in.
    ///   - reason: why it is done, as one clause; kept in the task.
    ///   - actor: who asked for it, or `ota` for the server itself.
    ///   - date: now.
    ///   - due: when it is begun, at the earliest.
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

    /// Jobs of one lane run one after the other; lanes run side by side, so that a slow answer of Apple
    /// keeps nothing else waiting.
    var lane: String { team.map { "apple \($0)" } ?? "sign" }

    /// Becomes the job that a newer request asks for: of several that wait to sign the same release, only
    /// the last would count.
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

    /// Whether it signs the same release as another one.
    func signsSameRelease(as other: Job) -> Bool {
        kind == .sign && other.kind == .sign && app == other.app && release == other.release
    }

    /// Whether it may be begun now.
    package func isDue(at date: Date) -> Bool {
        state == .waiting && next.map { $0 <= date } ?? true
    }
}

extension Job {
    /// The job as a part of a sentence: `sign Browsey 2.4.0 (318) again`.
    ///
    /// - Parameter title: the app's name; nil where it is unknown.
    /// - Returns: words that follow an actor and a verb.
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
