package import APIDocuments
import AppleDeveloper
import Cryptography
import Foundation
import Identifiers
import Jobs
import Releases
import Sandboxing
import Store
import TeamUpkeep

extension CheckTeam: WaitingAction {
    package func perform(
        in administration: LocalAdministration
    ) async throws -> TeamCheckDocument {
        let admin = administration.admin
        let found = try await blocking { try admin.team(named: team) }
        let now = admin.clock()
        let examined = try await administration.asking(found) { accounts, policy in
            try await TeamExamination(
                of: found,
                in: admin.store,
                through: accounts,
                trying: policy,
                at: now,
            )
        }
        return TeamCheckDocument(
            team: found.identifier.rawValue,
            isGood: examined.isGood,
            lines: examined.lines.map(TeamCheckDocument.Line.init),
        )
    }
}

extension SyncTeam: WaitingAction {
    package func perform(
        in administration: LocalAdministration
    ) async throws -> TeamSyncDocument {
        let admin = administration.admin
        let found = try await blocking { try admin.team(named: team) }
        let devices = try await administration.asking(found) { accounts, policy in
            let account = try accounts.open(found, trying: policy)
            try await AccountOwner.check(account, of: found.identifier)
            return try await account.devices()
        }
        let isDryRun = content.dryRun == true
        return try await blocking { () throws in
            try admin.sync(found, with: devices, isDryRun: isDryRun)
        }
    }
}

extension CreateCertificate: WaitingAction {
    package func perform(
        in administration: LocalAdministration
    ) async throws -> TeamCertificateDocument {
        let admin = administration.admin
        let found = try await blocking { try admin.team(named: team) }
        let now = admin.clock()
        let (plan, renewal) = try await administration.asking(found) { accounts, policy in
            let account = try accounts.open(found, trying: policy)
            try await AccountOwner.check(account, of: found.identifier)
            let certificates = try await account.certificates()
            let days = try OfferedClaims(of: found, in: admin.store).renewalDays
            let plan = try accounts.identity(of: found).map {
                CertificatePlan(
                    for: $0.key,
                    among: certificates,
                    at: now,
                    renewingBefore: Double(days),
                )
            }
            return (plan, days)
        }
        let words = TeamCertificateDocument.words(for: plan, days: renewal)
        var job: JobEntry?
        if content.dryRun != true, words.plan != .keep {
            job = try await blocking { () throws in
                try admin.queue(
                    .renewCertificate,
                    for: found,
                    because: "an admin asked for a certificate",
                    at: now,
                )
            }
            try await blocking { () throws in
                try admin.store.record(admin.activity(.certificateAsked, found.name, at: now))
            }
        }
        return TeamCertificateDocument(
            team: found.identifier.rawValue,
            plan: words.plan,
            text: words.text,
            expires: plan?.certificate?.expires,
            job: job,
        )
    }
}

extension Administrator {
    /// Compares both registers.
    ///
    /// Unless it is a dry run, it also enables the server's work in the account, and queues jobs that make
    /// the registers agree.
    fileprivate func sync(
        _ team: Team,
        with devices: [AccountDevice],
        isDryRun: Bool,
    ) throws -> TeamSyncDocument {
        let now = clock()
        let (register, teams) = (try store.devices(), try store.teams())
        let own = TeamDevices(of: team, in: register, beside: teams).devices
        let unowned = TeamDevices.unowned(in: register, beside: teams).unownedWords.map {
            TeamSyncDocument.Difference(text: $0, fix: TeamDevices.unownedFix)
        }
        let plan = DeviceSyncPlan(own, comparedWith: devices)
        let snapshot = AccountSnapshot(devices, knownAs: own, at: now)
        var agreed = team.account?.agreed
        var job: JobEntry?
        if !isDryRun {
            var news: [Activity] = []
            let after = try store.changeTeam(
                team.identifier,
                { changed in
                    // The answers are from the account that was asked, which must still be the team's.
                    guard changed.account?.issuer == team.account?.issuer else {
                        throw AccountRefusal.notAgreed(team.identifier)
                    }
                    news = plan.news(
                        since: changed.account?.snapshot,
                        of: changed.name,
                        by: name,
                        at: now,
                    )
                    news.append(activity(.accountCompared, changed.name, at: now))
                    changed.account?.snapshot = snapshot
                    guard changed.account?.isActive == false else { return }
                    changed.account?.agreed = now
                    changed.account?.agreedBy = name
                    news.append(activity(.accountAgreed, changed.name, at: now))
                },
                recording: { news },
            )
            agreed = after.account?.agreed
            if !plan.steps.isEmpty {
                job = try queue(
                    .registerDevice,
                    for: after,
                    because: "an admin compared the registers",
                    at: now,
                )
            }
        }
        return TeamSyncDocument(
            team: team.identifier.rawValue,
            agreed: agreed,
            steps: plan.steps.map(\.description),
            differences: plan.differences.map {
                TeamSyncDocument.Difference(text: $0.description, fix: $0.fix)
            } + [unowned].compactMap(\.self),
            slots: snapshot.slots.map(TeamAccountEntry.Slots.init),
            job: job,
        )
    }

    /// Queues a job in a team's developer account.
    ///
    /// - Returns: the job, or an equal one that is already waiting.
    fileprivate func queue(
        _ kind: Job.Kind,
        for team: Team,
        because reason: String,
        at date: Date,
    ) throws -> JobEntry {
        let job = Job(
            JobIdentifier(at: date, random: randomBytes),
            kind,
            for: team.identifier,
            because: reason,
            by: name,
            at: date,
            due: date,
        )
        return try JobEntry(store.add(job).job, in: store)
    }
}

extension TeamCheckDocument.Line {
    fileprivate init(_ line: TeamCheck.Line) {
        self.init(
            verdict: Verdict(line.verdict),
            text: line.text,
            fix: line.fix.isEmpty ? nil : line.fix,
        )
    }
}

extension TeamCheckDocument.Line.Verdict {
    fileprivate init(_ verdict: TeamCheck.Line.Verdict) {
        self =
            switch verdict {
            case .good: .good
            case .warning: .warning
            case .missing: .missing
            }
    }
}

extension CertificatePlan {
    /// The current certificate; nil if there is none.
    fileprivate var certificate: AccountCertificate? {
        switch self {
        case .keep(let certificate), .renew(let certificate, _): certificate
        case .create: nil
        }
    }
}

extension TeamCertificateDocument {
    /// - Parameters:
    ///   - plan: nil for a team without a private key.
    ///   - days: the number of days before its expiry at which a certificate is renewed.
    /// - Returns: what happens to the certificate, and the same as one clause.
    fileprivate static func words(
        for plan: CertificatePlan?,
        days: Int,
    ) -> (plan: Plan, text: String) {
        switch plan {
        case nil: (.create, "create a certificate, because this server has no private key")
        case .keep?: (.keep, "\(plan?.description ?? ""); it is renewed \(days) days before")
        case .renew?: (.renew, plan?.description ?? "")
        case .create?: (.create, plan?.description ?? "")
        }
    }
}
