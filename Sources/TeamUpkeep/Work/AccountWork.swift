import AppleDeveloper
import Bytes
package import Cryptography
package import Essentials
import Identifiers
package import Jobs
import Releases
import Sandboxing
package import Store

/// The common part of all jobs in developer accounts: it opens the account, records once what prevents the
/// server from working in it, and waits for what an admin has to do.
package struct AccountWork: Sendable {
    let store: OTAStore
    let accounts: AccountOpener
    let anchors: @Sendable () throws -> TrustAnchors
    let clock: @Sendable () -> Date
    let random: @Sendable (Int) -> [UInt8]

    /// Seconds between two checks of whether an admin has done what is needed.
    static let pauseForPerson: TimeInterval = 3600
    /// Problems of a single device, which other work in the account does not resolve.
    static let deviceTroubles: Set<String> = [
        AppleFailure.noSlotLeft.id, AppleFailure.badDevice.id, AppleFailure.wrongDeviceClass.id,
    ]
    /// The identifier of a problem that prevents a profile from being created.
    static let obstacleID = "team.profile-obstacle"
    /// The identifier of a problem that prevents a team from using a certificate that was issued for it.
    static let certificateObstacleID = "team.certificate-obstacle"
    /// Problems that are only resolved when their own job has continued.
    static let obstacles: Set<String> = [obstacleID, certificateObstacleID]

    /// - Parameters:
    ///   - store: the store with teams, devices and jobs.
    ///   - accounts: opens developer accounts.
    ///   - anchors: returns the trust anchors for profiles and certificates, called in each step.
    ///   - clock: returns the current time.
    ///   - random: returns the given number of random bytes.
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

    /// The workers for every kind of job in developer accounts.
    package var workers: [Job.Kind: any JobWorker] {
        [
            .registerDevice: RegistrationWorker(self), .renewProfile: RenewalWorker(self),
            .renewCertificate: CertificateWorker(self),
        ]
    }

    /// Performs a step in the account of the job's team.
    ///
    /// - Parameters:
    ///   - job: the job as it is in the store.
    ///   - body: performs the step.
    /// - Returns: what `body` returns, or that the job waits for an admin.
    /// - Throws: what `body` throws, unless only an admin can resolve it; ``AccountRefusal``.
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
            guard account.isActive || job.isRequestedCertificate else {
                throw AccountRefusal.notAgreed(identifier)
            }
            return (team, try accounts.open(team))
        }
        let mark = team.upkeepMark
        do {
            if Self.isBeginning(job) { try await AccountOwner.check(account, of: identifier) }
            return try await body(team, account).noting { $0.teamMark = mark }
        } catch let refusal as AccountRefusal {
            guard case .otherTeam = refusal else { throw refusal }
            try await note(AccountTrouble(refusal, at: clock()), of: identifier)
            return .wait(
                for: job.step,
                until: clock().addingTimeInterval(Self.pauseForPerson),
                because: "\(refusal)",
                fix: refusal.fix,
            ) { $0.teamMark = mark }
        } catch let failure as AppleFailure {
            guard failure != .interrupted else { throw failure }
            try await note(failure, of: identifier)
            guard failure.needsPerson else { throw failure }
            return .wait(
                for: job.step,
                until: clock().addingTimeInterval(Self.pauseForPerson),
                because: "\(failure)",
                fix: failure.fix,
            ) { $0.teamMark = mark }
        }
    }

    /// Whether the job has not changed anything at Apple yet, so that the account's owner must be checked.
    ///
    /// Later steps need no check: a key of another organization has to be approved by an admin first.
    private static func isBeginning(_ job: Job) -> Bool {
        switch job.kind {
        case .renewProfile: (RenewalStep(rawValue: job.step) ?? .plan) == .plan
        case .renewCertificate: (CertificateStep(rawValue: job.step) ?? .request) == .request
        default: true
        }
    }

    /// Records a failure, and notifies admins once if they have to act.
    func note(_ failure: AppleFailure, of team: TeamIdentifier) async throws {
        try await note(AccountTrouble(failure, at: clock()), of: team)
    }

    /// Records a problem, and notifies admins once if they have to act.
    func note(_ trouble: AccountTrouble, of team: TeamIdentifier) async throws {
        let store = store
        try await blocking {
            let name = try store.team(team)?.name ?? team.rawValue
            _ = try store.changeTeam(
                team,
                { $0.note(trouble) },
                recording: { Self.news(of: trouble, name) },
            )
        }
    }

    /// Records what Apple reported, and that requests succeed.
    ///
    /// - Parameters:
    ///   - devices: every device of the account.
    ///   - profiles: every profile of the account; nil if they were not read.
    ///   - trouble: a remaining problem; nil for none.
    ///   - team: the team of the account.
    ///   - isOver: whether an earlier problem with this identifier is resolved.
    ///   - differences: activities to record.
    /// - Throws: ``StoreFailure``.
    func note(
        _ devices: [AccountDevice],
        _ profiles: [AccountProfile]?,
        _ trouble: AccountTrouble? = nil,
        of team: TeamIdentifier,
        ending isOver: @escaping @Sendable (String) -> Bool,
        telling differences: [Activity] = [],
    ) async throws {
        let (store, now) = (store, clock())
        try await blocking {
            let register = try store.devices()
            let teams = try store.teams()
            var news: [Activity] = []
            _ = try store.changeTeam(
                team,
                { team in
                    news = differences
                    guard var account = team.account else { return }
                    let known = TeamDevices(of: team, in: register, beside: teams).devices
                    var snapshot = AccountSnapshot(devices, knownAs: known, at: now)
                    snapshot.invalidProfiles =
                        profiles.map { team.invalidProfiles(among: $0) }
                        ?? account.snapshot?.invalidProfiles
                    account.snapshot = snapshot
                    let former = account.trouble
                    if let former, isOver(former.id), former.id != trouble?.id {
                        account.trouble = nil
                    }
                    team.account = account
                    guard let trouble, former?.id != trouble.id else { return }
                    team.note(trouble)
                    news += Self.news(of: trouble, team.name)
                },
                recording: { news },
            )
        }
    }

    /// Records that a problem is resolved.
    func noteEnd(
        of team: TeamIdentifier,
        ending isOver: @escaping @Sendable (String) -> Bool,
    ) async throws {
        let store = store
        try await blocking {
            _ = try store.changeTeam(team) { team in
                guard let trouble = team.account?.trouble, isOver(trouble.id) else { return }
                team.account?.trouble = nil
            }
        }
    }

    private static func news(of trouble: AccountTrouble, _ team: String) -> [Activity] {
        guard trouble.needsPerson else { return [] }
        let text = "\(trouble.message); \(trouble.fix)"
        return [
            Activity(
                date: trouble.since,
                actor: UpkeepPlanner.actor,
                event: .accountBlocked,
                subject: team,
                detail: PrintableText(escaping: text, limit: 600).text,
            )
        ]
    }

    /// Changes the job in the middle of a step, so that what is created next is recorded before.
    func change(_ job: Job, _ change: @escaping @Sendable (inout Job) -> Void) async throws {
        let (store, now) = (store, clock())
        _ = try await blocking { try store.changeJob(job.identifier, at: now, change) }
    }

    /// The devices of the register that belong in a team's account.
    func devices(of team: TeamIdentifier) async throws -> [Device] {
        let store = store
        return try await blocking {
            guard let team = try store.team(team) else { return [] }
            return TeamDevices(of: team, in: try store.devices(), beside: try store.teams()).devices
        }
    }

    /// The current state of the store.
    func state() async throws -> UpkeepState {
        let (store, anchors, now) = (store, anchors, clock())
        return try await blocking { try UpkeepState(store, trusting: anchors(), at: now) }
    }
}

extension AccountTrouble {
    init(_ failure: AppleFailure, at date: Date) {
        self.init(
            id: failure.id,
            message: PrintableText(escaping: "\(failure)", limit: 600).text,
            fix: failure.fix,
            testerSentence: failure.testerSentence,
            needsPerson: failure.needsPerson,
            since: date,
        )
    }
}

extension AccountTrouble {
    fileprivate init(_ refusal: AccountRefusal, at date: Date) {
        self.init(
            id: refusal.id,
            message: "\(refusal)",
            fix: refusal.fix,
            testerSentence: AppleFailure.keyRefused.testerSentence,
            needsPerson: true,
            since: date,
        )
    }
}

extension Team {
    /// Records a problem; if it is the same as before, the time since which it has lasted stays.
    fileprivate mutating func note(_ trouble: AccountTrouble) {
        guard account != nil, account?.trouble?.id != trouble.id else { return }
        account?.trouble = trouble
    }

    /// Apple's identifiers of profiles that this server created and that are no longer valid.
    fileprivate func invalidProfiles(among listed: [AccountProfile]) -> [String] {
        let valid = Set(listed.filter { $0.state == .active }.map(\.id.rawValue))
        return profiles.compactMap(\.accountID).filter { !valid.contains($0) }.sorted()
    }
}

extension Job {
    /// Whether an admin requested a certificate, which is consent to this job; a job of the planner has a
    /// need.
    fileprivate var isRequestedCertificate: Bool { kind == .renewCertificate && need == nil }
}
