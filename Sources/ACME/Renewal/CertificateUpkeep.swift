import Bytes
import Cryptography
package import Essentials
package import HTTPCalling
package import HTTPServing
package import Store

/// Keeps a server's certificate valid, one step at a time.
///
/// A new certificate is used only after it was checked: the chain is complete, the names are those of the
/// server, and the key matches. Until then, and after every failure, the previous one stays in use.
package actor CertificateUpkeep {
    /// The outcome of a step.
    package enum News: Sendable {
        /// A new certificate to use.
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
    /// The last reported state of failed attempts.
    private var told: ACMETrouble?

    /// The interval in seconds between checks for a certificate that another server with the same store
    /// has obtained.
    private static let lookAtOthers: TimeInterval = 10

    /// - Parameters:
    ///   - settings: the authority and the contact address.
    ///   - names: the host names for the certificate; see ``names(among:)``.
    ///   - store: stores the account, order and certificate.
    ///   - proofs: the challenges that this server supports.
    ///   - transport: sends requests to the authority.
    ///   - timing: the clock and the source of randomness.
    ///   - used: the stored certificate, if the server has started with it.
    ///   - lease: decides which of the servers with the same store contacts the authority.
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

    /// The host names that authorities issue certificates for, of those that the server responds to:
    /// neither addresses nor names without a dot.
    package static func names(among hosts: [String]) -> [String] {
        Set(hosts).filter { host in
            guard case .dns = AlternativeName(host) else { return false }
            return host.contains(".") && !host.hasPrefix("*") && !host.hasPrefix(".")
        }.sorted()
    }

    /// The certificate in a store, if it is now valid for a host.
    ///
    /// Missing names are requested while it is in use.
    ///
    /// - Throws: `StoreFailure` for a certificate that cannot be read.
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

    /// Performs the next step if it is due.
    ///
    /// - Returns: when the next step will be due.
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

    /// Reports once why attempts have failed, including those of other servers and those before this one
    /// started.
    func tellTrouble() throws {
        guard let trouble = try keeper.record().trouble, trouble != told else { return }
        told = trouble
        tell(.failed(trouble))
    }

    /// When to try again: starting the server shortens long waits, unless the authority asked for them.
    private func wait(of trouble: ACMETrouble, at now: Date) -> Date {
        // A clock that was set back must not stop all attempts.
        let next = min(trouble.next, now.addingTimeInterval(8 * 86_400))
        guard !hasBegun else { return next }
        let soon = trouble.last.addingTimeInterval(RenewalSchedule.longestPauseAtStart)
        return min(next, max(soon, trouble.notBefore ?? soon))
    }

    // MARK: The certificate in use

    /// When the next step for a valid certificate is due; nil if now.
    private func schedule(
        of identity: ServerIdentity,
        at now: Date,
        in keeper: ACMEKeeper,
    ) async throws -> Date? {
        guard let leaf = identity.chain.first else { return nil }
        let fingerprint = leaf.sha256.description
        var kept = try keeper.record().renewal
        if kept?.certificate != fingerprint {
            // The previous process stopped after storing the certificate and before this.
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

    /// The renewal date with the authority's present suggestion; unchanged if it suggests nothing.
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
            // If the suggestion cannot be fetched, the present date stays valid.
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

    /// Why a certificate cannot be used for all names; nil if it can.
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
