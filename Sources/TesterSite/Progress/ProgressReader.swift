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

/// Reads devices' progress towards builds, for the pages and event streams of their testers.
///
/// Teams and jobs are read from the store at most about once a second, however many listeners wait.
final class ProgressReader: Sendable {
    /// The teams and the jobs that work for their devices.
    struct Work: Sendable {
        /// Changes whenever teams or jobs do.
        let generation: Int
        let teams: [Team]
        /// Jobs of the teams in whose accounts the server works, including recently ended ones.
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

    /// Returns the current work, no older than a second.
    func work() throws -> Work {
        let now = ContinuousClock.now
        let before = known.withLock(\.self)
        if let before, now - before.read < Self.memory { return before }
        // If something is damaged, pages say nothing about Apple.
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
            // Another thread may have read meanwhile; its generation counts then.
            if known?.generation == before?.generation { known = work }
        }
        return work
    }

    /// Returns the value of a page's `work` parameter, so that no change before the stream starts is
    /// missed.
    func mark(of device: Device) throws -> String {
        "\(try work().generation)-\(device.state.rawValue)"
    }

    /// Returns a device's progress towards one build.
    ///
    /// - Parameters:
    ///   - device: the device, as it is in the register.
    ///   - release: the build; nil if none is available.
    ///   - app: the build's app.
    ///   - channel: the channel that offers the build; nil for none.
    /// - Returns: the current step, and who does the remaining ones.
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

    /// Returns a device's progress towards the builds in an app's channels; it is complete once all of
    /// them include the device.
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
            // No channel is open yet to a device that waits for approval.
            isKeptFresh: (open.isEmpty ? app.channels : open).keys.contains(where: app.keepsFresh),
        )
    }

    /// Returns the progress of a device that was invited to no app; it is complete once some app on the
    /// start page includes the device.
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

    /// Returns the progress of a device that was enrolled by an invitation, to an app or to none.
    func progress(ofEnrolled device: Device, for app: AppRecord?) throws -> DeviceWay {
        guard let app else { return try progress(of: device) }
        let visitor = ProvenVisitor(device: device, passphrase: .onLink)
        // Before the device is approved, no channel may be open to it.
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

    /// Returns a device's progress; if the device is also in `signer`, the app's team, that team's work
    /// counts.
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
        // If no re-signing is set up for the app, people make its builds, whatever the server does at
        // Apple.
        return DeviceWay(
            progress: progress.step == .preparing && !isKeptFresh ? make(nil) : progress,
            work: byServer,
            isApproved: device.isApproved,
        )
    }

    /// Returns whether a build can be installed on devices, and includes this one where it has to.
    private func includes(_ release: Release, _ device: Device) throws -> Bool {
        let report = try site.store.unlessDamaged { try site.store.report(of: release) }
        guard let report, !report.findings(at: site.now).contains(where: \.blocksEveryDevice) else {
            return false
        }
        return !report.verdict(for: device.facts, at: site.now).reasons
            .contains(where: \.isAboutMissingDevice)
    }
}

/// A device's progress, and who does the remaining steps.
struct DeviceWay: Sendable, Equatable {
    let progress: DeviceProgress
    let work: DeviceSteps.Work
    /// Whether the team has approved the device; a build may include one that it has not.
    let isApproved: Bool

    /// Returns the steps as a page shows them.
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
    /// Whether the finding is that a profile does not include the device.
    fileprivate var isAboutMissingDevice: Bool {
        id == "device.not-in-profile" || id == "device.not-in-nested-profile"
    }
}
