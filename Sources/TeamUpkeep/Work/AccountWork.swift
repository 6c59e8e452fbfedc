import AppleDeveloper
import Bytes
package import Cryptography
package import Essentials
import Identifiers
package import Jobs
package import Releases
import Sandboxing
package import Store

/// What the steps of all jobs in developer accounts have in common: the account is opened, what keeps the
/// server from working in it is noted once, and what an admin has to do is waited for.
package struct AccountWork: Sendable {
    let store: OTAStore
    let accounts: AccountOpener
    let anchors: @Sendable () throws -> TrustAnchors
    let clock: @Sendable () -> Date
    let random: @Sendable (Int) -> [UInt8]

    /// Seconds between two looks whether an admin has done what is needed.
    static let pauseForPerson: TimeInterval = 3600
    /// What one device is in the way of, and other work in the account does not bring to an end.
    static let deviceTroubles: Set<String> = [
        AppleFailure.noSlotLeft.id, AppleFailure.badDevice.id, AppleFailure.wrongDeviceClass.id,
    ]

    /// - Parameters:
    ///   - store: where teams, devices and jobs are.
    ///   - accounts: opens developer accounts.
    ///   - anchors: who is believed to have signed profiles and certificates, asked for each step.
    ///   - clock: gives the time.
    ///   - random: gives as many random bytes as it is asked for.
    package init(
        _ store: OTAStore,
        through accounts: AccountOpener,
        trusting anchors: @escaping @Sendable () throws -> TrustAnchors,
        clock: @escaping @Sendable () -> Date,
        random: @escaping @Sendable (Int) -> [UInt8],
    ) {
        self.store = store
        self.accounts = accounts
        self.anchors = anchors
        self.clock = clock
        self.random = random
    }

    /// Those who do the steps of every kind of job in developer accounts.
    package var workers: [Job.Kind: any JobWorker] {
        [
            .registerDevice: RegistrationWorker(self), .renewProfile: RenewalWorker(self),
            .renewCertificate: CertificateWorker(self),
        ]
    }

    /// Does a step with the account of the job's team.
    ///
    /// - Parameters:
    ///   - job: as it is in the store.
    ///   - body: does the step.
    /// - Returns: what `body` returns, or that the job waits for a person.
    /// - Throws: what `body` throws and passes by itself; ``AccountRefusal``.
    func step(
        _ job: Job,
        _ body: (Team, DeveloperAccount) async throws -> JobProgress,
    ) async throws -> JobProgress {
        guard let identifier = job.team else { return .done() }
        let (store, accounts) = (store, accounts)
        let (team, account) = try await blocking {
            guard let team = try store.team(identifier) else {
                throw TeamRefusal.unknown(identifier.rawValue)
            }
            guard let account = team.account else { throw AccountRefusal.none(identifier) }
            guard account.isActive else { throw AccountRefusal.notAgreed(identifier) }
            return (team, try accounts.open(team))
        }
        do {
            return try await body(team, account)
        } catch let failure as AppleFailure {
            guard failure != .interrupted else { throw failure }
            try await note(failure, of: identifier)
            guard failure.needsPerson else { throw failure }
            return .wait(
                for: job.step,
                until: clock().addingTimeInterval(Self.pauseForPerson),
                because: "\(failure)",
                fix: failure.fix,
            )
        }
    }

    /// Notes why something did not work, and tells admins once where they are needed.
    func note(_ failure: AppleFailure, of team: TeamIdentifier) async throws {
        let (store, now) = (store, clock())
        try await blocking {
            try store.changeTeam(team, { team in
                team.note(failure, at: now)
            }, recording: {
                failure.needsPerson ? [try Self.blocked(by: failure, team, in: store, at: now)] : []
            })
        }
    }

    /// Notes what Apple said, and that calls work.
    ///
    /// - Parameters:
    ///   - devices: every device of the account.
    ///   - profiles: every profile of the account; nil where they were not asked for.
    ///   - failure: what kept single devices from being registered; nil for nothing.
    ///   - isOfDevices: whether `failure` is all there is to say of single devices.
    ///   - team: whose account.
    ///   - differences: what is worth telling, for the devices of the team before and after.
    func note(
        _ devices: [AccountDevice],
        _ profiles: [AccountProfile]?,
        _ failure: AppleFailure? = nil,
        isOfDevices: Bool = false,
        of team: TeamIdentifier,
        telling differences: [Activity] = [],
    ) async throws {
        let (store, now) = (store, clock())
        try await blocking {
            let register = try store.devices()
            let teams = try store.teams()
            var isNew = false
            try store.changeTeam(team, { team in
                isNew = false
                guard var account = team.account else { return }
                let known = TeamDevices(of: team, in: register, beside: teams).devices
                var snapshot = AccountSnapshot(devices, knownAs: known, at: now)
                snapshot.invalidProfiles =
                    profiles.map { team.invalidProfiles(among: $0) }
                    ?? account.snapshot?.invalidProfiles
                account.snapshot = snapshot
                if isOfDevices || !Self.deviceTroubles.contains(account.trouble?.id ?? "") {
                    if account.trouble?.id != failure?.id { account.trouble = nil }
                }
                team.account = account
                if let failure {
                    isNew = account.trouble?.id != failure.id
                    team.note(failure, at: now)
                }
            }, recording: {
                guard isNew, let failure else { return differences }
                return differences + [try Self.blocked(by: failure, team, in: store, at: now)]
            })
        }
    }

    /// Notes that calls work.
    func noteThatItWorks(for team: TeamIdentifier) async throws {
        let store = store
        try await blocking {
            _ = try store.changeTeam(team) { team in
                guard let trouble = team.account?.trouble,
                    !Self.deviceTroubles.contains(trouble.id)
                else { return }
                team.account?.trouble = nil
            }
        }
    }

    /// Changes the job in the middle of a step, so that what is made next is known before.
    func change(_ job: Job, _ change: @escaping @Sendable (inout Job) -> Void) async throws {
        let (store, now) = (store, clock())
        _ = try await blocking { try store.changeJob(job.identifier, at: now, change) }
    }

    /// The devices of the register that belong into a team's account.
    func devices(of team: TeamIdentifier) async throws -> [Device] {
        let store = store
        return try await blocking {
            guard let team = try store.team(team) else { return [] }
            return TeamDevices(of: team, in: try store.devices(), beside: try store.teams()).devices
        }
    }

    /// What the store says of everything.
    func state() async throws -> UpkeepState {
        let (store, anchors, now) = (store, anchors, clock())
        return try await blocking { try UpkeepState(store, trusting: anchors(), at: now) }
    }

    private static func blocked(
        by failure: AppleFailure,
        _ team: TeamIdentifier,
        in store: OTAStore,
        at date: Date,
    ) throws -> Activity {
        Activity(
            date: date,
            actor: UpkeepPlanner.actor,
            event: .accountBlocked,
            subject: try store.team(team)?.name ?? team.rawValue,
            detail: PrintableText(escaping: "\(failure); \(failure.fix)", limit: 600).text,
        )
    }
}

extension Team {
    /// Keeps since when a trouble that is the same goes on.
    fileprivate mutating func note(_ failure: AppleFailure, at date: Date) {
        guard account != nil, account?.trouble?.id != failure.id else { return }
        account?.trouble = AccountTrouble(
            id: failure.id,
            message: PrintableText(escaping: "\(failure)", limit: 600).text,
            fix: failure.fix,
            testerSentence: failure.testerSentence,
            needsPerson: failure.needsPerson,
            since: date,
        )
    }

    /// What Apple calls those profiles that this server made and that are no longer valid there.
    fileprivate func invalidProfiles(among listed: [AccountProfile]) -> [String] {
        let valid = Set(listed.filter { $0.state == .active }.map(\.id.rawValue))
        return profiles.compactMap(\.accountID).filter { !valid.contains($0) }.sorted()
    }
}
