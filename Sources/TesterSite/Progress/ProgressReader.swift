import Foundation
import Identifiers
import Inspection
import Jobs
import Pages
import Releases
import SiteServices
import Store
import Synchronization
import TeamUpkeep

/// How far devices are on their way to builds, for the pages and streams of their testers; reads the
/// store.
///
/// Teams and jobs are read at most once a second for all of them, however many wait.
final class ProgressReader: Sendable {
    /// What is done for the devices of all teams.
    struct Work: Sendable {
        /// Unlike that of any other state of teams and jobs.
        let generation: Int
        let teams: [Team]
        /// Of the teams whose accounts the server works in; those that ended recently too.
        let jobs: [Job]
        fileprivate let stamp: ChangeStamp?
        fileprivate let read: ContinuousClock.Instant
    }

    private static let memory = Duration.milliseconds(900)

    private let site: Site
    private let known = Mutex<Work?>(nil)

    init(_ site: Site) {
        self.site = site
    }

    /// What is done for devices, no older than a second.
    func work() throws -> Work {
        let now = ContinuousClock.now
        let before = known.withLock(\.self)
        if let before, now - before.read < Self.memory { return before }
        // Where something is damaged, nothing is said of Apple.
        let teams = try site.store.unlessDamaged { try site.store.teams() } ?? []
        var jobs: [Job] = []
        var stamp: ChangeStamp?
        if teams.contains(where: { $0.account?.isActive == true }) {
            stamp = try site.store.backend.knownStamp(of: .jobs)
            let isSame = stamp != nil && stamp == before?.stamp && stamp?.isSettled == true
            jobs = isSame ? before?.jobs ?? [] : try site.store.jobs()
        }
        let isNew = teams != before?.teams || jobs != before?.jobs
        let work = Work(
            generation: (before?.generation ?? 0) + (isNew ? 1 : 0),
            teams: teams,
            jobs: jobs,
            stamp: stamp,
            read: now,
        )
        known.withLock { known in
            // Another thread may have read meanwhile, and its number counts.
            if known?.generation == before?.generation { known = work }
        }
        return work
    }

    /// What a page says in the address of its stream, so that what happens between the two is not missed.
    func mark(of device: Device) throws -> String {
        "\(try work().generation)-\(device.state.rawValue)"
    }

    /// How far a device is on its way to one build.
    ///
    /// - Parameters:
    ///   - device: as it is in the register.
    ///   - release: the build; nil where none is on offer.
    ///   - app: its app.
    ///   - channel: where the build is offered; nil for a build that no channel offers.
    /// - Returns: the present step, and who does the rest.
    /// - Throws: `StoreFailure`.
    func progress(
        of device: Device,
        to release: Release?,
        of app: AppRecord,
        on channel: ChannelName?,
    ) throws -> DeviceWay {
        let work = try work()
        let visitor = ProvenVisitor(device: device, passphrase: .onLink)
        let isOpen = release.map { app.admits(visitor, to: $0) } ?? false
        let isInBuild = try isOpen && release.map { try includes($0, device) } ?? false
        return way(
            of: device,
            as: app.team,
            in: work,
            isInBuild: isInBuild,
            isKeptFresh: release?.keepsOriginal != false
                && channel.map(app.keepsFresh) == true,
        )
    }

    /// How far a device is on its way to the builds that an app's channels offer: it is there once all
    /// of them include it.
    func progress(of device: Device, toAllOf app: AppRecord) throws -> DeviceWay {
        let work = try work()
        let visitor = ProvenVisitor(device: device, passphrase: .onLink)
        let open = app.channels.filter { app.admits(visitor, to: $0.key) }
        let isInBuild = try open.values.allSatisfy { identifier in
            let release = try site.store.unlessDamaged {
                try site.store.release(identifier, of: app.bundleIdentifier)
            }
            return try release.map { try $0.withdrawal != nil || includes($0, device) } ?? true
        }
        return way(
            of: device,
            as: app.team,
            in: work,
            isInBuild: isInBuild && !open.isEmpty,
            // A device that waits for approval sees no channel yet.
            isKeptFresh: (open.isEmpty ? app.channels : open).keys.contains(where: app.keepsFresh),
        )
    }

    /// How far a device is that was invited to no app: it is there once some app on the start page
    /// includes it.
    func progress(of device: Device) throws -> DeviceWay {
        let work = try work()
        let visitor = ProvenVisitor(device: device)
        let apps = try site.store.apps().filter {
            $0.isOnStartPage && $0.defaultChannel(for: visitor) != nil
        }
        let isInBuild = try apps.contains { app in
            guard let channel = app.defaultChannel(for: visitor),
                let release = try site.store.unlessDamaged({
                    try site.store.release(on: channel, of: app)
                }), release.withdrawal == nil
            else { return false }
            return try includes(release, device)
        }
        return way(
            of: device,
            in: work,
            isInBuild: isInBuild,
            isKeptFresh: apps.contains { app in
                app.channels.keys.contains(where: app.keepsFresh)
            },
        )
    }

    /// How far a device is that enrolled by an invitation, to an app or to none.
    func progress(ofEnrolled device: Device, for app: AppRecord?) throws -> DeviceWay {
        guard let app else { return try progress(of: device) }
        let visitor = ProvenVisitor(device: device, passphrase: .onLink)
        // Before its device is approved nothing may be open to it.
        let channel = app.defaultChannel(for: visitor) ?? app.defaultChannel
        let release = try channel.flatMap { channel in
            try site.store.unlessDamaged { try site.store.release(on: channel, of: app) }
        }
        return try progress(
            of: device,
            to: release?.withdrawal == nil ? release : nil,
            of: app,
            on: channel,
        )
    }

    /// Of a device that is in the app's team, `signer`, as a further one, what that team has done counts.
    private func way(
        of device: Device,
        as signer: TeamIdentifier? = nil,
        in work: Work,
        isInBuild: Bool,
        isKeptFresh: Bool,
    ) -> DeviceWay {
        let device = signer.flatMap { device.place(in: $0.rawValue) } ?? device
        let team = device.owner(among: work.teams)
        let isAtApple = team?.account?.isActive == true
        let make = { (team: Team?) in
            DeviceProgress(
                of: device,
                team: team,
                isInBuild: isInBuild,
                jobs: work.jobs,
                at: self.site.now,
            )
        }
        let progress = make(team)
        let byServer = DeviceSteps.Work(isAtApple: isAtApple, isOnBuild: isAtApple && isKeptFresh)
        // The build of an app that nothing keeps fresh is made by people, whatever is done at Apple.
        return DeviceWay(
            progress: progress.step == .preparing && !isKeptFresh ? make(nil) : progress,
            work: byServer,
            isApproved: device.isApproved,
        )
    }

    /// Whether a build installs on devices, and lists this one where it has to.
    private func includes(_ release: Release, _ device: Device) throws -> Bool {
        let report = try site.store.unlessDamaged { try site.store.report(of: release) }
        guard let report, !report.findings(at: site.now).contains(where: \.blocksEveryDevice) else {
            return false
        }
        return !report.verdict(for: device.facts, at: site.now).reasons
            .contains(where: \.isAboutMissingDevice)
    }
}

/// How far a device is, and who does what of the rest.
struct DeviceWay: Sendable, Equatable {
    let progress: DeviceProgress
    let work: DeviceSteps.Work
    /// Whether the team has approved the device; a build may include one that it has not.
    let isApproved: Bool

    /// The same for a page.
    func steps(in words: Words) -> DeviceSteps {
        let step: DeviceSteps.Step =
            switch progress.step {
            case .waitingForApproval: .approval
            case .addingAtApple: .registration
            case .preparing: .build
            case .ready: .ready
            }
        return DeviceSteps(
            DeviceSteps.Present(
                step,
                words.text("progress.\(progress.reason.rawValue)"),
                since: progress.since,
                isStopped: progress.isStopped,
            ),
            by: work,
            isApproved: isApproved,
            in: words,
        )
    }
}

extension Finding {
    /// Whether it says that a profile does not list the device.
    fileprivate var isAboutMissingDevice: Bool {
        id == "device.not-in-profile" || id == "device.not-in-nested-profile"
    }
}
