import AppleDeveloper
import Bundles
import Bytes
import Cryptography
import Essentials
import Identifiers
package import Jobs
import Releases
import Sandboxing
import Store

/// Has Apple issue a certificate for a key of this server, and create the profiles that list it; the team
/// gets both at once.
///
/// The key is sealed in the store before Apple is asked. The former certificate stays valid at Apple, so
/// that installed builds still open.
package struct CertificateWorker: JobWorker {
    let work: AccountWork

    package init(_ work: AccountWork) {
        self.work = work
    }

    package func step(_ job: Job) async throws -> JobProgress {
        try await work.step(job) { team, account in
            do {
                return switch CertificateStep(rawValue: job.step) ?? .request {
                case .request: try await request(job, team, account)
                case .adopt: try await adopt(job, team, account)
                }
            } catch let failure as AppleFailure {
                switch failure {
                case .notFound, .noDevices, .nameTaken:
                    // Someone has changed the account since it was read.
                    return .wait(
                        for: CertificateStep.request.rawValue,
                        until: work.clock().addingTimeInterval(300),
                        because: "\(failure)",
                    ) { $0.certificate?.abandonDrafts() }
                default: throw failure
                }
            }
        }
    }

    // MARK: Request

    private func request(
        _ job: Job,
        _ team: Team,
        _ account: DeveloperAccount,
    ) async throws -> JobProgress {
        let key = try await requestedKey(of: team)
        let certificate = try await account.createCertificate(
            for: key,
            subject: DistinguishedName(commonName: team.name),
        )
        try await work.noteEnd(of: team.identifier) { id in
            !AccountWork.obstacles.contains(id) && !AccountWork.deviceTroubles.contains(id)
        }
        return .then(CertificateStep.adopt.rawValue) { job in
            job.certificate?.accountID = certificate.id.rawValue
            job.certificate?.abandonDrafts()
        }
    }

    /// Returns the private key that waits for its certificate, generating one if there is none.
    private func requestedKey(of team: Team) async throws -> PrivateKey {
        let (store, accounts, now) = (work.store, work.accounts, work.clock())
        return try await blocking {
            let purpose = SealingPurpose.requestedKey(of: team.identifier)
            var requested = team.account?.requested
            if requested == nil {
                let made = try PrivateKey.generate(.rsa2048)
                let sealed = try accounts.seal(Array(made.pem.utf8), as: purpose)
                let changed = try store.changeTeam(team.identifier) { team in
                    // Another process may have been faster.
                    guard team.account?.requested == nil else { return }
                    team.account?.requested = RequestedCertificate(sealed: sealed, date: now)
                }
                requested = changed.account?.requested
            }
            guard let requested else { throw AccountRefusal.none(team.identifier) }
            let pem = try accounts.open(requested.sealed, as: purpose)
            return try PrivateKey(pem: String(decoding: pem, as: UTF8.self))
        }
    }

    // MARK: Adopt

    private func adopt(
        _ job: Job,
        _ team: Team,
        _ account: DeveloperAccount,
    ) async throws -> JobProgress {
        guard team.account?.requested != nil else {
            // The team got the certificate before an earlier process ended.
            return try await askForSignatures(job, team)
        }
        let key = try await requestedKey(of: team)
        guard let certificate = try await account.certificate(about: key),
            let issued = certificate.certificate
        else { return .then(CertificateStep.request.rawValue) }
        guard issued.signingTeam == team.identifier.rawValue else {
            throw TeamRefusal.otherIdentity(
                issued.description,
                of: issued.signingTeam,
                expected: team.identifier,
            )
        }
        let accounts = work.accounts
        let identity = try SigningIdentity(
            certificate: issued,
            key: key,
            chain: await blocking { try accounts.chain(of: team) },
        ).checkedForApps(at: work.clock(), anchors: work.anchors())
        let maker = ProfileMaker(
            work: work,
            account: account,
            team: team,
            certificate: issued.sha256,
        )
        let listed = try await account.devices()
        guard var drafts = job.certificate?.drafts else {
            let drafts = try await drafts(for: team, certificate, listed, account, maker)
            return .then(CertificateStep.adopt.rawValue) { $0.certificate?.drafts = drafts }
        }
        if let left = try await bundles(of: team, without: drafts) {
            return try await waitForProfiles(of: left, team)
        }
        for index in drafts.indices where drafts[index].digest == nil {
            switch try await maker.make(drafts[index], among: listed) {
            case .made(let draft, _): drafts[index] = draft
            case .loses, .exceeds, .outdated:
                return .wait(
                    for: CertificateStep.adopt.rawValue,
                    until: work.clock().addingTimeInterval(300),
                    because: "the developer account has changed in the meantime",
                ) { $0.certificate?.abandonDrafts() }
            }
            let noted = drafts
            try await work.change(job) { $0.certificate?.drafts = noted }
        }
        let profiles: [TeamProfile]
        do {
            profiles = try await maker.profiles(of: drafts)
        } catch StoreFailure.missingBlob {
            return .then(CertificateStep.adopt.rawValue) { job in
                for index in job.certificate?.drafts?.indices ?? 0..<0 {
                    job.certificate?.drafts?[index].digest = nil
                }
            }
        }
        try await take(identity, profiles, for: team)
        try await work.noteEnd(of: team.identifier) { $0 == AccountWork.certificateObstacleID }
        return try await askForSignatures(job, team)
    }

    /// The profiles that have to list the new certificate: those that the team has, and those that its
    /// builds need.
    private func drafts(
        for team: Team,
        _ certificate: AccountCertificate,
        _ listed: [AccountDevice],
        _ account: DeveloperAccount,
        _ maker: ProfileMaker,
    ) async throws -> [RenewalTask.Draft] {
        let state = try await work.state()
        let kept = team.profiles.filter { $0.kind == .adHoc }.map(\.bundleIdentifier)
        let needed = state.builds(of: team).flatMap(\.bundles).map(\.rawValue)
        let bundles = Set(kept + needed).sorted().compactMap(BundleIdentifier.init)
        let own = try await work.devices(of: team.identifier).filter {
            $0.state == .registered || $0.state == .approved
        }
        let known = Set(own.map(\.udid))
        let devices = listed.filter { device in
            device.status == .enabled && (device.udid.map(known.contains) ?? false)
                && device.family?.runsApps ?? true
        }
        guard !bundles.isEmpty, !devices.isEmpty else { return [] }
        let appIDs = try await account.bundleIDs()
        return try bundles.compactMap { bundle in
            guard let appID = appIDs.first(where: { $0.identifier == bundle.rawValue }) else {
                return nil
            }
            return try maker.draft(bundle, appID.id, certificate.id, devices)
        }
    }

    /// Gives the team the certificate and its profiles, and removes profiles that do not list it.
    private func take(
        _ identity: SigningIdentity,
        _ profiles: [TeamProfile],
        for team: Team,
    ) async throws {
        let (store, accounts, now) = (work.store, work.accounts, work.clock())
        let certificate = identity.certificate
        try await blocking {
            guard let sealed = try accounts.sealed(identity, of: team.identifier) else {
                throw IdentityRefusal.notForApps(certificate.description)
            }
            _ = try store.changeTeam(
                team.identifier,
                { team in
                    team.identity = sealed
                    for profile in profiles { team.add(profile) }
                    for profile in team.profiles
                    where !profile.certificates.contains(sealed.sha256) {
                        _ = team.removeProfile(profile.uuid)
                    }
                    team.account?.requested = nil
                },
                recording: {
                    [
                        Activity(
                            date: now,
                            actor: UpkeepPlanner.actor,
                            event: .certificateMade,
                            subject: certificate.description,
                        )
                    ] + profiles.map { Activity(made: $0, at: now) }
                },
            )
        }
    }

    /// Leaves signing the builds, and deleting what is replaced, to a job that renews profiles; that only
    /// happens once an admin has approved the server's work.
    private func askForSignatures(_ job: Job, _ team: Team) async throws -> JobProgress {
        guard team.account?.isActive == true else { return .done { $0.reason = nil } }
        let (store, now) = (work.store, work.clock())
        let next = Job(
            JobIdentifier(at: now, random: work.random),
            .renewProfile,
            for: team.identifier,
            because: "the team signs with a new certificate",
            by: job.by,
            at: now,
            due: now,
        )
        try await blocking { _ = try store.add(next) }
        return .done { $0.reason = nil }
    }
}
