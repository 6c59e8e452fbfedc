import Bytes
package import Cryptography
package import Essentials
package import HTTPServing
import Problems
import Releases
package import Store

/// What `ota serve` was told about its authority.
package struct ACMESettings: Sendable {
    package var directory: ACMEDirectoryAddress
    /// The address that the authority writes to.
    package var email: String
    /// Authorities to trust beside the system's: for the connection to this one, and as roots of what it
    /// issues.
    package var anchors: [Certificate]
    /// The longest time between two looks at the clock.
    package var look: Duration = .seconds(60)
    /// What carries requests; nil for connections over HTTPS.
    package var transport: (any ACMETransport)?

    package init(
        directory: ACMEDirectoryAddress = .letsEncrypt,
        email: String,
        anchors: [Certificate] = [],
    ) {
        self.directory = directory
        self.email = email
        self.anchors = anchors
    }
}

/// Keeps a server's certificate current, one step at a time.
///
/// A certificate is used only when it has proven itself: the chain is complete, the names are those of
/// the server, and the key is the certificate's. Until then, and after every failure, the one before
/// stays in use.
package actor CertificateUpkeep {
    /// What came of a step.
    package enum News: Sendable {
        /// A certificate to be used from now on.
        case replaced(ServerIdentity)
        case failed(ACMETrouble)
        /// The store could not be read or written.
        case stuck(any Error)
    }

    private let settings: ACMESettings
    private let names: [String]
    private let keeper: ACMEKeeper
    private let proofs: ACMEProofs
    private let transport: any ACMETransport
    private let timing: ACMETiming
    private let roots: SystemRoots
    private let tell: @Sendable (News) -> Void
    /// Tells this server from others on the same store.
    private let worker = Hex.encode(randomBytes(8))
    /// The SHA-256 of the certificate in use.
    private var used: String?
    private var hasBegun = false

    /// Seconds that one attempt may take before another server begins one.
    private static let attemptTime: TimeInterval = 900

    /// - Parameters:
    ///   - settings: which authority, and for whom.
    ///   - names: the host names that the certificate is for; see ``names(among:)``.
    ///   - store: where account, order and certificate are kept.
    ///   - proofs: what this server can prove.
    ///   - transport: carries requests to the authority.
    ///   - timing: time and chance.
    ///   - used: the kept certificate, where the server has begun with it.
    ///   - tell: is told what came of steps.
    package init(
        _ settings: ACMESettings,
        for names: [String],
        in store: OTAStore,
        proofs: ACMEProofs,
        through transport: any ACMETransport,
        timing: ACMETiming,
        using used: ServerIdentity?,
        tell: @escaping @Sendable (News) -> Void,
    ) {
        self.settings = settings
        self.names = names.sorted()
        keeper = ACMEKeeper(store, for: settings.directory)
        self.proofs = proofs
        self.transport = transport
        self.timing = timing
        roots = SystemRoots.installed.adding(settings.anchors)
        self.used = used.flatMap(Self.fingerprint)
        self.tell = tell
    }

    /// The names that authorities give certificates to, of those that a server answers for: neither
    /// addresses nor names without a dot.
    package static func names(among hosts: [String]) -> [String] {
        Set(hosts).filter { host in
            guard case .dns = AlternativeName(host) else { return false }
            return host.contains(".") && !host.hasPrefix("*") && !host.hasPrefix(".")
        }.sorted()
    }

    /// The certificate that is kept in a store, if it is good for all names now.
    ///
    /// - Throws: `StoreFailure` for one that cannot be read.
    package static func keptIdentity(
        for names: [String],
        in store: OTAStore,
        _ settings: ACMESettings,
        at date: Date,
    ) throws -> ServerIdentity? {
        let keeper = ACMEKeeper(store, for: settings.directory)
        guard let identity = try keeper.identity() else { return nil }
        let roots = SystemRoots.installed.adding(settings.anchors)
        return problem(of: identity, for: names, at: date, roots: roots) == nil ? identity : nil
    }

    /// Does what is due.
    ///
    /// - Returns: when something will be due again.
    package func step() async -> Date {
        do {
            return try await nextStep()
        } catch {
            tell(.stuck(error))
            return timing.now().addingTimeInterval(60)
        }
    }

    private func nextStep() async throws -> Date {
        let now = timing.now()
        let identity = try keeper.identity()
        if let identity, Self.problem(of: identity, for: names, at: now, roots: roots) == nil {
            use(identity)
            if let date = try await schedule(of: identity, at: now) { return date }
        }
        let record = try keeper.record()
        if let trouble = record.trouble, now < wait(of: trouble, at: now) {
            return wait(of: trouble, at: now)
        }
        hasBegun = true
        guard try keeper.claim(worker, at: now, for: Self.attemptTime) else {
            return now.addingTimeInterval(60)
        }
        return try await attempt(replacing: identity, record)
    }

    /// When to try again: a start makes long waits shorter, unless the authority asked for them.
    private func wait(of trouble: ACMETrouble, at now: Date) -> Date {
        // A clock that was set back must not stop everything.
        let next = min(trouble.next, now.addingTimeInterval(8 * 86_400))
        guard !hasBegun, trouble.failures.first?.id != "acme.rate-limited" else { return next }
        return min(next, trouble.last.addingTimeInterval(RenewalSchedule.longestPauseAtStart))
    }

    // MARK: The certificate in use

    /// When something is due about a certificate that is good; nil if that is now.
    private func schedule(of identity: ServerIdentity, at now: Date) async throws -> Date? {
        guard let leaf = identity.chain.first else { return nil }
        let fingerprint = leaf.sha256.description
        var kept = try keeper.record().renewal
        if kept?.certificate != fingerprint {
            // The last attempt ended behind the certificate and before this.
            kept = newRenewal(of: leaf, at: now)
            try finish(with: identity, renewal: kept)
        }
        guard var renewal = kept, renewal.directory == settings.directory.text else { return nil }
        if renewal.nextLook <= now {
            renewal = await suggested(renewal, for: leaf, at: now)
            try keeper.change { record in
                if record.renewal?.certificate == fingerprint { record.renewal = renewal }
            }
        }
        return renewal.date > now ? min(renewal.date, renewal.nextLook) : nil
    }

    private func newRenewal(of leaf: Certificate, at now: Date) -> KeptRenewal {
        KeptRenewal(
            certificate: leaf.sha256.description,
            directory: settings.directory.text,
            date: RenewalSchedule.date(
                of: leaf.notBefore...max(leaf.notBefore, leaf.notAfter),
                obtained: now,
                random: timing.random(),
            ),
            window: nil,
            nextLook: now,
        )
    }

    /// The renewal as the authority suggests it now; as it was where it suggests nothing.
    private func suggested(
        _ renewal: KeptRenewal,
        for leaf: Certificate,
        at now: Date,
    ) async -> KeptRenewal {
        var renewal = renewal
        renewal.nextLook = now.addingTimeInterval(RenewalSchedule.usualLook)
        guard let name = RenewalWindow.name(of: leaf) else { return renewal }
        do {
            let caller = try newCaller()
            guard let base = try await caller.directory().renewalInfo else { return renewal }
            let target = base + (base.hasBytes(last: "/") ? "" : "/") + name
            let answer = try await caller.get(target)
            if let asked = answer.retryDate(at: now)?.timeIntervalSince(now) {
                let looks = RenewalSchedule.looks
                let bounded = min(max(asked, looks.lowerBound), looks.upperBound)
                renewal.nextLook = now.addingTimeInterval(bounded)
            }
            guard let window = RenewalWindow(answer: answer.body), window != renewal.window else {
                return renewal
            }
            renewal.window = window
            renewal.date = RenewalSchedule.date(
                within: window,
                of: leaf.notBefore...max(leaf.notBefore, leaf.notAfter),
                random: timing.random(),
            )
        } catch {
            // A suggestion that does not come changes nothing: the certificate has its date.
        }
        return renewal
    }

    // MARK: A new certificate

    private func attempt(
        replacing old: ServerIdentity?,
        _ record: ACMERecord,
    ) async throws -> Date {
        let proof = proofs.kind(
            after: record.trouble?.attempts ?? 0,
            accepted: record.challenge,
        )
        do {
            let order = CertificateOrder(
                caller: try newCaller(),
                keeper: keeper,
                key: try keeper.accountKey(),
                proofs: proofs,
                timing: timing,
                address: settings.directory,
                email: settings.email,
                names: names,
                proof: proof,
                replacing: replaced(old, record),
            )
            let identity = try await order.certificate()
            let problem = Self.problem(of: identity, for: names, at: timing.now(), roots: roots)
            if let problem {
                try keeper.change { $0.order = nil }
                throw ACMEFailure.badCertificate(problem)
            }
            try keeper.keep(identity)
            let now = timing.now()
            let renewal = identity.chain.first.map { newRenewal(of: $0, at: now) }
            try finish(with: identity, renewal: renewal, proof: proof)
            use(identity)
            return now
        } catch let failure as ACMEFailure {
            // The server stops; the next one continues.
            guard failure != .interrupted else { return timing.now() }
            return try note(failure, of: proof)
        }
    }

    /// The name of a certificate that the same authority issued.
    private func replaced(_ old: ServerIdentity?, _ record: ACMERecord) -> String? {
        guard let leaf = old?.chain.first, let renewal = record.renewal,
            renewal.certificate == leaf.sha256.description,
            renewal.directory == settings.directory.text
        else { return nil }
        return RenewalWindow.name(of: leaf)
    }

    private func finish(
        with identity: ServerIdentity,
        renewal: KeptRenewal?,
        proof: ACMEChallengeKind? = nil,
    ) throws {
        let now = timing.now()
        try keeper.change { record in
            record.order = nil
            record.trouble = nil
            record.worker = nil
            record.renewal = renewal
            if let proof { record.challenge = proof }
        } recording: {
            [
                Activity(
                    date: now,
                    actor: Self.actor,
                    event: .certificateObtained,
                    app: nil,
                    subject: names.joined(separator: ", "),
                    detail: settings.directory.host,
                )
            ]
        }
        try keeper.forgetEarlier()
    }

    private func note(_ failure: ACMEFailure, of proof: ACMEChallengeKind) throws -> Date {
        let now = timing.now()
        let problem = failure.problem
        let latest = ACMETrouble.Failure(
            challenge: failure.isOfProof ? proof : nil,
            id: problem.id,
            message: problem.message,
            fix: problem.fix,
            needsPerson: failure.needsPerson,
        )
        let random = timing.random()
        let hasCertificate = used != nil
        var isNew = false
        let record = try keeper.change { record in
            let before = record.trouble
            let attempts = (before?.attempts ?? 0) + 1
            var next = now.addingTimeInterval(
                RenewalSchedule.pause(after: attempts, random: random)
            )
            if let until = failure.earliestRetry { next = max(next, until) }
            let others = (before?.failures ?? []).filter {
                $0.challenge != nil && latest.challenge != nil && $0.challenge != latest.challenge
            }
            // Without a certificate, or if somebody has to act, as soon as both proofs were tried.
            let isDue = attempts >= (latest.needsPerson || !hasCertificate ? 2 : 4)
            isNew = isDue && before?.isAnnounced != true
            record.trouble = ACMETrouble(
                attempts: attempts,
                since: before?.since ?? now,
                last: now,
                next: next,
                failures: [latest] + others.prefix(1),
                isAnnounced: isDue || before?.isAnnounced == true,
            )
            record.worker = nil
        } recording: {
            guard isNew else { return [] }
            return [
                Activity(
                    date: now,
                    actor: Self.actor,
                    event: .certificateFailed,
                    app: nil,
                    subject: names.joined(separator: ", "),
                    detail: "\(problem.message); \(problem.fix)",
                )
            ]
        }
        guard let trouble = record.trouble else { return now }
        tell(.failed(trouble))
        return trouble.next
    }

    /// As the activity names the server itself.
    private static let actor = "ota"

    private func use(_ identity: ServerIdentity) {
        guard let fingerprint = Self.fingerprint(identity), fingerprint != used else { return }
        used = fingerprint
        tell(.replaced(identity))
    }

    private func newCaller() throws -> ACMECaller {
        ACMECaller(
            at: settings.directory,
            with: try keeper.accountKey(),
            through: transport,
            timing: timing,
        )
    }

    private static func fingerprint(_ identity: ServerIdentity) -> String? {
        identity.chain.first?.sha256.description
    }

    /// What keeps a certificate from being used for all names.
    private static func problem(
        of identity: ServerIdentity,
        for names: [String],
        at date: Date,
        roots: SystemRoots,
    ) -> CertificateProblem? {
        for name in names {
            do throws(CertificateProblem) {
                try identity.check(for: name, at: date, roots: roots)
            } catch {
                return error
            }
        }
        return nil
    }
}
