package import Cryptography
package import Essentials
import Identifiers
package import Jobs
import ReleaseSigning
package import Releases
package import Store

/// Everything in the store on which the upkeep of developer accounts depends.
package struct UpkeepState: Sendable {
    package let teams: [Team]
    package let register: DeviceRegister
    package let builds: [OfferedBuild]
    /// All jobs in the store, newest first.
    package let jobs: [Job]

    package init(
        teams: [Team],
        register: DeviceRegister,
        builds: [OfferedBuild],
        jobs: [Job],
    ) {
        self.teams = teams
        self.register = register
        self.builds = builds
        self.jobs = jobs
    }

    /// The team's devices that profiles should list, as far as this server knows: registered, and enabled
    /// in the last snapshot of the account.
    package func wanted(of team: Team) -> [Device] {
        TeamDevices(of: team, in: register, beside: teams).devices.filter { device in
            guard device.state == .registered, device.family.runsApps else { return false }
            guard let snapshot = team.account?.snapshot else { return true }
            guard let status = snapshot[device.udid] else {
                // Registered after the snapshot; otherwise someone has removed it from the account.
                return device.stateSince >= snapshot.date
            }
            return status == .enabled
        }
    }

    /// The devices that the profiles of a team may list: all but those that were disabled, or moved to
    /// another team, at `date` or earlier.
    ///
    /// A device that is not in the register was erased.
    func staying(in team: Team, after date: Date) -> Set<DeviceUDID> {
        let devices = register.devices.filter { device in
            let named = device.place(in: team.identifier.rawValue)
            guard let place = named ?? (device.team == nil ? device : nil) else {
                return device.stateSince > date
            }
            return place.state != .disabled || place.stateSince > date
        }
        return Set(devices.map(\.udid))
    }

    /// The builds that are signed for a team, automatically or by an admin.
    package func builds(of team: Team) -> [OfferedBuild] {
        builds.filter { $0.team == team.identifier }
    }

    /// The number of days before its expiry at which a team's certificate is renewed; nil if no build of
    /// the team is offered.
    package func renewalDays(of team: Team) -> Int? { builds(of: team).map(\.renewalDays).max() }
}

extension UpkeepState {
    /// Reads the store; damaged apps and releases are skipped.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - anchors: the trust anchors for profiles.
    ///   - date: the current time.
    /// - Throws: ``StoreFailure``.
    package init(
        _ store: OTAStore,
        trusting anchors: TrustAnchors,
        at date: Date,
    ) throws {
        let teams = try store.teams()
        let register = try store.devices()
        let jobs = try store.jobs()
        var means: [TeamIdentifier: SigningMeans] = [:]
        for team in teams where team.identity != nil {
            means[team.identifier] = try SigningMeans(
                team,
                in: store,
                trusting: anchors,
                at: date,
            )
        }
        var builds: [OfferedBuild] = []
        for app in try store.apps() {
            guard let team = teams.first(where: { $0.identifier == app.team }) else { continue }
            let fresh = Set(app.channels.filter { app.keepsFresh($0.key) }.values)
            for identifier in Set(app.channels.values).sorted(by: { $0.rawValue < $1.rawValue }) {
                let build = try store.unlessDamaged { () throws -> OfferedBuild? in
                    guard
                        let release = try store.release(identifier, of: app.bundleIdentifier),
                        release.withdrawal == nil, release.keepsOriginal
                    else { return nil }
                    return OfferedBuild(
                        release,
                        try store.report(of: release),
                        of: team,
                        with: means[team.identifier],
                        renewalDays: app.renewalDays,
                        isKeptFresh: fresh.contains(identifier),
                        at: date,
                    )
                }
                if let build { builds.append(build) }
            }
        }
        self.init(teams: teams, register: register, builds: builds, jobs: jobs)
    }
}

extension ProductFamily {
    /// Whether an iOS profile may list devices of this family: Apple refuses one with an Apple TV or a Mac.
    package var runsApps: Bool { self != .tv && self != .mac }
}
