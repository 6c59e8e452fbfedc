import Bytes
import Cryptography
package import Essentials
package import HTTPCalling
package import HTTPServing
package import Store

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

    let settings: ACMESettings
    let names: [String]
    private let keeper: ACMEKeeper
    let proofs: ACMEProofs
    private let transport: any CallTransport
    let timing: CallTiming
    let roots: SystemRoots
    private let lease: @Sendable () -> (any WorkLease)?
    private let tell: @Sendable (News) -> Void
    /// The SHA-256 of the certificate in use.
    private(set) var used: String?
    private var hasBegun = false
    /// What was last reported about attempts that failed.
    private var told: ACMETrouble?

    /// Seconds between two checks of what another server on the same store has ordered.
    private static let lookAtOthers: TimeInterval = 10

    /// - Parameters:
    ///   - settings: which authority, and for whom.
    ///   - names: the host names that the certificate is for; see ``names(among:)``.
    ///   - store: where account, order and certificate are kept.
    ///   - proofs: what this server can prove.
    ///   - transport: carries requests to the authority.
    ///   - timing: time and chance.
    ///   - used: the kept certificate, where the server has begun with it.
    ///   - lease: says whether this server is the one of those on the store that asks the authority.
    ///   - tell: receives the outcome of each step.
    package init(
        _ settings: ACMESettings,
        for names: [String],
        in store: OTAStore,
        proofs: ACMEProofs,
        through transport: any CallTransport,
        timing: CallTiming,
        using used: ServerIdentity?,
        under lease: @escaping @Sendable () -> (any WorkLease)?,
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
        self.lease = lease
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

    /// The certificate that is kept in a store, if it is good for a host now.
    ///
    /// Names that it lacks are asked for while it is in use.
    ///
    /// - Throws: `StoreFailure` for one that cannot be read.
    package static func keptIdentity(
        for host: String,
        in store: OTAStore,
        _ settings: ACMESettings,
        at date: Date,
    ) throws -> ServerIdentity? {
        let keeper = ACMEKeeper(store, for: settings.directory)
        guard let identity = try keeper.identity() else { return nil }
        let roots = SystemRoots.installed.adding(settings.anchors)
        return problem(of: identity, for: [host], at: date, roots: roots) == nil ? identity : nil
    }

    /// Does what is due.
    ///
    /// - Returns: when something will be due again.
    package func step() async -> Date {
        do {
            return try await nextStep()
        } catch StoreFailure.leaseLost {
            // Another server continues.
            return timing.now().addingTimeInterval(Self.lookAtOthers)
        } catch {
            tell(.stuck(error))
            return timing.now().addingTimeInterval(60)
        }
    }

    private func nextStep() async throws -> Date {
        let now = timing.now()
        let identity = try keeper.identity()
        var isGood = false
        if let identity {
            isGood = Self.problem(of: identity, for: names, at: now, roots: roots) == nil
            if isGood { use(identity) }
        }
        guard let lease = lease() else {
            if !isGood { try tellTrouble() }
            return now.addingTimeInterval(Self.lookAtOthers)
        }
        let keeper = keeper.under(lease)
        if isGood, let identity,
            let date = try await schedule(of: identity, at: now, in: keeper)
        {
            return date
        }
        let record = try keeper.record()
        if let trouble = record.trouble, now < wait(of: trouble, at: now) {
            try tellTrouble()
            return wait(of: trouble, at: now)
        }
        hasBegun = true
        return try await attempt(replacing: identity, record, in: keeper)
    }

    /// Says once why attempts failed, also those of other servers and of this one before it started.
    func tellTrouble() throws {
        guard let trouble = try keeper.record().trouble, trouble != told else { return }
        told = trouble
        tell(.failed(trouble))
    }

    /// When to try again: a start makes long waits shorter, unless the authority asked for them.
    private func wait(of trouble: ACMETrouble, at now: Date) -> Date {
        // A clock that was set back must not stop everything.
        let next = min(trouble.next, now.addingTimeInterval(8 * 86_400))
        guard !hasBegun else { return next }
        let soon = trouble.last.addingTimeInterval(RenewalSchedule.longestPauseAtStart)
        return min(next, max(soon, trouble.notBefore ?? soon))
    }

    // MARK: The certificate in use

    /// When something is due about a certificate that is good; nil if that is now.
    private func schedule(
        of identity: ServerIdentity,
        at now: Date,
        in keeper: ACMEKeeper,
    ) async throws -> Date? {
        guard let leaf = identity.chain.first else { return nil }
        let fingerprint = leaf.sha256.description
        var kept = try keeper.record().renewal
        if kept?.certificate != fingerprint {
            // The last attempt ended behind the certificate and before this.
            kept = newRenewal(of: leaf, at: now)
            try finish(with: identity, renewal: kept, in: keeper)
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

    func newRenewal(of leaf: Certificate, at now: Date) -> KeptRenewal {
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

    func use(_ identity: ServerIdentity) {
        guard let fingerprint = Self.fingerprint(identity), fingerprint != used else { return }
        used = fingerprint
        tell(.replaced(identity))
    }

    func newCaller() throws -> ACMECaller {
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
    static func problem(
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
