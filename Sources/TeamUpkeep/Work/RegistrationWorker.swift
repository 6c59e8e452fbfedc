import AppleDeveloper
import Essentials
import Identifiers
package import Jobs
import Releases
import Sandboxing
import Store

/// Makes the devices of a team and those of its developer account agree.
///
/// Each change is recorded as soon as Apple has made it. A change that was not recorded, because the
/// process ended, is found in Apple's list.
package struct RegistrationWorker: JobWorker {
    private let work: AccountWork

    package init(_ work: AccountWork) {
        self.work = work
    }

    package func step(_ job: Job) async throws -> JobProgress {
        try await work.step(job) { team, account in
            try await compare(job, team, account)
        }
    }

    private func compare(
        _ job: Job,
        _ team: Team,
        _ account: DeveloperAccount,
    ) async throws -> JobProgress {
        var listed = try await account.devices()
        let profiles =
            team.profiles.contains { $0.accountID != nil } ? try await account.profiles() : nil
        let plan = DeviceSyncPlan(
            try await work.devices(of: team.identifier),
            comparedWith: listed,
        )
        var refusals = Refusals(plan)
        for step in plan.steps where !refusals.isHopeless(step) {
            do {
                if let changed = try await perform(step, in: account, of: team) {
                    listed.removeAll { $0.id == changed.id }
                    listed.append(changed)
                }
            } catch let failure as AppleFailure where failure.isOfOneDevice {
                refusals.note(failure, at: step)
            }
        }
        // Devices that were registered just now may still be processed by Apple.
        let after = DeviceSyncPlan(
            try await work.devices(of: team.identifier),
            comparedWith: listed,
        )
        try await work.note(
            listed,
            profiles,
            refusals.failure.map { AccountTrouble($0, at: work.clock()) },
            of: team.identifier,
            ending: { !AccountWork.obstacles.contains($0) },
            telling: after.news(
                since: team.account?.snapshot,
                of: team.name,
                by: UpkeepPlanner.actor,
                at: work.clock(),
            ),
        )
        return progress(of: job, after, refusals)
    }

    /// Performs one step, and records it.
    ///
    /// - Returns: the device as the account has it now; nil if nothing was changed there.
    private func perform(
        _ step: DeviceSyncPlan.Step,
        in account: DeveloperAccount,
        of team: Team,
    ) async throws -> AccountDevice? {
        switch step {
        case .noteRegistered(let device):
            try await noteRegistered(device, in: team)
            return nil
        case .register(let device):
            let made = try await account.register(device.udid, name: device.name)
            if made.status == .enabled { try await noteRegistered(device, in: team) }
            return made
        case .rename(let there, let name):
            let changed = try await account.rename(there, to: name)
            try await record(
                .accountDeviceChanged,
                DeviceUDID.masked(in: name),
                "it was called \(there.shownName) there",
            )
            return changed
        case .disable(let there):
            let changed = try await account.setEnabled(false, there)
            try await record(.accountDeviceChanged, there.shownName, "it is disabled there now")
            return changed
        }
    }

    private func noteRegistered(_ device: Device, in team: Team) async throws {
        let (store, now) = (work.store, work.clock())
        try await blocking {
            _ = try store.changeDevices { register in
                // Someone may have disabled it in the meantime.
                guard let present = register[device.udid], present.state != .disabled,
                    present.place(in: device.team)?.state == .approved
                else { return }
                try register.markRegistered(
                    device.udid,
                    in: team.identifier,
                    at: now,
                    by: UpkeepPlanner.actor,
                )
            } recording: {
                [
                    Activity(
                        date: now,
                        actor: UpkeepPlanner.actor,
                        event: .deviceRegistered,
                        subject: device.shownName,
                        detail: team.name,
                    )
                ]
            }
        }
    }

    private func record(
        _ event: Activity.Event,
        _ subject: String,
        _ detail: String,
    ) async throws {
        let (store, now) = (work.store, work.clock())
        try await blocking {
            try store.record(
                Activity(
                    date: now,
                    actor: UpkeepPlanner.actor,
                    event: event,
                    subject: subject,
                    detail: detail,
                )
            )
        }
    }

    // MARK: Waiting

    private func progress(
        of job: Job,
        _ plan: DeviceSyncPlan,
        _ refusals: Refusals,
    ) -> JobProgress {
        let now = work.clock()
        let pending = plan.differences.compactMap { difference -> Device? in
            if case .waiting(let device, _) = difference { device } else { nil }
        }
        var task = job.registration ?? RegistrationTask(reason: "")
        // For devices that were added in the meantime, waiting starts over.
        if pending.count > task.pending ?? 0 { task.waits = 0 }
        task.pending = pending.count
        task.refused = refusals.devices.isEmpty ? nil : refusals.devices
        let since = pending.map(\.stateSince).max().map { max($0, job.created) } ?? job.created
        let look =
            pending.isEmpty
            ? nil : ProcessingWait.next(after: task.waits, since: since, at: now)
        task.waits += 1
        let kept = task
        if let failure = refusals.failure {
            let hour = now.addingTimeInterval(AccountWork.pauseForPerson)
            return .wait(
                for: RegistrationStep.wait.rawValue,
                until: look.map { min($0, hour) } ?? hour,
                because: "\(failure)",
                fix: failure.fix,
            ) { $0.registration = kept }
        }
        let waiting = "Apple has not finished with " + Wording.count(pending.count, "device")
        if let look {
            return .wait(
                for: RegistrationStep.wait.rawValue,
                until: look,
                because: waiting,
            ) { $0.registration = kept }
        }
        return .done { job in
            job.registration = kept
            job.reason = pending.isEmpty ? nil : waiting + " within 72 hours"
        }
    }
}

/// What Apple refused, device by device.
private struct Refusals {
    private(set) var failure: AppleFailure?
    private(set) var devices: [DeviceUDID] = []
    private var full: Set<ProductFamily> = []

    /// Begins with what the comparison already shows.
    init(_ plan: DeviceSyncPlan) {
        for case .noSlot(let device) in plan.differences {
            failure = .noSlotLeft
            devices.append(device.udid)
        }
    }

    /// Whether a step would only be refused again.
    mutating func isHopeless(_ step: DeviceSyncPlan.Step) -> Bool {
        guard case .register(let device) = step, full.contains(device.family) else { return false }
        devices.append(device.udid)
        return true
    }

    mutating func note(_ failure: AppleFailure, at step: DeviceSyncPlan.Step) {
        self.failure = self.failure ?? failure
        guard case .register(let device) = step else { return }
        devices.append(device.udid)
        if failure == .noSlotLeft { full.insert(device.family) }
    }
}

extension AppleFailure {
    /// Whether the failure only concerns one device.
    fileprivate var isOfOneDevice: Bool {
        switch self {
        case .noSlotLeft, .badDevice, .wrongDeviceClass, .nameTaken, .notFound, .refused: true
        default: false
        }
    }
}
