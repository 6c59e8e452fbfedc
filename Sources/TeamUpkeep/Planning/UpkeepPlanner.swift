import Cryptography
package import Essentials
import Identifiers
package import Jobs
import Releases

/// Derives the necessary jobs from the store alone; it sends no requests and changes nothing.
///
/// After a crash, planning again restores every job that was lost.
package struct UpkeepPlanner: Sendable {
    /// A change of the queue.
    package enum Order: Sendable, Equatable {
        case add(Job)
        /// A waiting job becomes due at another date.
        case move(JobIdentifier, to: Date)
    }

    package let policy: UpkeepPolicy
    private let random: @Sendable (Int) -> [UInt8]

    /// The actor of these jobs.
    package static let actor = "ota"

    /// - Parameters:
    ///   - policy: when upkeep begins.
    ///   - random: returns the given number of random bytes.
    package init(
        _ policy: UpkeepPolicy = UpkeepPolicy(),
        random: @escaping @Sendable (Int) -> [UInt8],
    ) {
        self.policy = policy
        self.random = random
    }

    /// Returns the orders that are necessary now.
    ///
    /// - Parameters:
    ///   - state: the state of the store.
    ///   - date: the current time.
    /// - Returns: changes of the queue; empty if nothing is needed.
    package func orders(for state: UpkeepState, at date: Date) -> [Order] {
        var orders: [Order] = []
        for team in state.teams where team.account?.isActive == true {
            orders += registration(of: team, state, date)
            orders += certificate(of: team, state, date)
            orders += renewal(of: team, state, date)
            let moved = Set(orders.compactMap(\.moved))
            orders += resumptions(of: team, state, date).filter { order in
                order.moved.map { !moved.contains($0) } ?? true
            }
        }
        return orders + signings(state, date)
    }

    // MARK: Devices

    private func registration(of team: Team, _ state: UpkeepState, _ date: Date) -> [Order] {
        let snapshot = team.account?.snapshot
        let devices = TeamDevices(of: team, in: state.register, beside: state.teams).devices
        let asking = devices.filter { device in
            let status = snapshot?[device.udid]
            return switch device.state {
            case .approved: status == nil || status == .enabled
            case .disabled: status == .enabled
            case .invited, .enrolled, .registered: false
            }
        }
        if let open = state.open(.registerDevice, of: team) {
            // The job waits for something else, and has not included these devices.
            let isNew = asking.contains { $0.stateSince > open.changed }
            guard isNew, open.waitsInOrder, let next = open.next, next > date else { return [] }
            return [.move(open.identifier, to: date)]
        }
        let isOld = snapshot.map { date.timeIntervalSince($0.date) >= policy.comparing } ?? true
        guard !asking.isEmpty || isOld else { return [] }
        let need =
            asking.isEmpty
            ? "compare" : Self.digest(asking.map { "\($0.udid) \($0.state) \($0.stateSince)" })
        let reason =
            asking.isEmpty
            ? "the developer account is compared every day"
            : Wording.count(asking.count, "device") + " changed"
        var job = job(.registerDevice, for: team, because: reason, at: date, due: date)
        job.devices = asking.isEmpty ? nil : asking.count
        return isPaused(job, need, state, date) ? [] : [.add(job.asking(for: need))]
    }

    // MARK: Certificates

    private func certificate(of team: Team, _ state: UpkeepState, _ date: Date) -> [Order] {
        guard let identity = team.identity, let days = state.renewalDays(of: team),
            identity.expires <= date.addingTimeInterval(Double(days) * 86_400),
            state.open(.renewCertificate, of: team) == nil
        else { return [] }
        let job = job(
            .renewCertificate,
            for: team,
            because: "the certificate expires on \(Wording.day(identity.expires))",
            at: date,
            due: date,
        )
        let need = identity.sha256.description
        return isPaused(job, need, state, date) ? [] : [.add(job.asking(for: need))]
    }

    // MARK: Profiles

    private func renewal(of team: Team, _ state: UpkeepState, _ date: Date) -> [Order] {
        guard let identity = team.identity, identity.expires > date else { return [] }
        let devices = state.wanted(of: team)
        guard !devices.isEmpty else { return [] }
        let staying = staying(in: team, state, date)
        let lacks = state.builds(of: team).flatMap { build in
            build.bundles.compactMap { bundle in
                ProfileLack(
                    bundle,
                    build.choices[bundle],
                    wanted: devices,
                    staying: staying,
                    invalid: team.account?.snapshot?.invalidProfiles ?? [],
                    certificateEnd: identity.expires,
                    renewingBefore: build.renewalDays,
                    at: date,
                )
            }
        }
        guard let first = lacks.first else { return [] }
        let missing = lacks.flatMap { $0.devices }
        let last = missing.map(\.stateSince).max()
        let due = max(date, last.map { $0.addingTimeInterval(policy.gathering) } ?? date)
        let open = state.jobs.filter {
            $0.kind == .renewProfile && $0.team == team.identifier && !$0.state.isOver
        }
        guard open.isEmpty else { return gathering(open, last, due, date) }
        let job = job(.renewProfile, for: team, because: first.reason, at: date, due: due)
        let need = Self.digest(lacks.map(\.text) + [identity.sha256.description])
        return isPaused(job, need, state, date) ? [] : [.add(job.asking(for: need))]
    }

    /// The devices that profiles may list; nil for any, if profiles were renewed recently.
    private func staying(
        in team: Team,
        _ state: UpkeepState,
        _ date: Date,
    ) -> Set<DeviceUDID>? {
        let ended = state.jobs.filter {
            $0.kind == .renewProfile && $0.team == team.identifier && $0.state.isOver
        }
        .map(\.changed).max()
        let earliest = date.addingTimeInterval(-policy.leaving)
        guard ended.map({ $0 <= earliest }) ?? true else { return nil }
        return state.staying(in: team, after: earliest)
    }

    /// Delays a job that has not chosen its profiles yet, so that it includes devices that are added in the
    /// meantime.
    ///
    /// A job that has chosen them includes no further devices; another one follows when it is over.
    private func gathering(
        _ open: [Job],
        _ last: Date?,
        _ due: Date,
        _ date: Date,
    ) -> [Order] {
        open.compactMap { job in
            guard job.step == RenewalStep.plan.rawValue, job.waitsInOrder, let next = job.next,
                let last
            else { return nil }
            if job.renewal?.waits == 0, job.reason == nil {
                let end = job.created.addingTimeInterval(policy.longestGathering)
                let later = min(due, max(end, date))
                return later > next ? .move(job.identifier, to: later) : nil
            }
            // The job waits for something else, and has not included these devices.
            return last > job.changed && due < next ? .move(job.identifier, to: due) : nil
        }
    }

    // MARK: Signatures

    private func signings(_ state: UpkeepState, _ date: Date) -> [Order] {
        state.builds.compactMap { build in
            guard build.isKeptFresh, !build.isUnchanged, build.isBetter else { return nil }
            let job = build.job(
                because: "the team has a newer profile that covers more devices or expires later",
                at: date,
                random: random,
            )
            let isOpen = state.jobs.contains { $0.isSigning(build) && !$0.state.isOver }
            let need = build.need
            return isOpen || isPaused(job, need, state, date) ? nil : .add(job.asking(for: need))
        }
    }

    // MARK: Jobs

    private func job(
        _ kind: Job.Kind,
        for team: Team,
        because reason: String,
        at date: Date,
        due: Date,
    ) -> Job {
        Job(
            JobIdentifier(at: date, random: random),
            kind,
            for: team.identifier,
            because: reason,
            by: Self.actor,
            at: date,
            due: due,
        )
    }

    /// Whether a job for the same need has ended so recently that another one would not help.
    private func isPaused(
        _ job: Job,
        _ need: String,
        _ state: UpkeepState,
        _ date: Date,
    ) -> Bool {
        state.jobs.contains { other in
            guard other.kind == job.kind, other.team == job.team, other.app == job.app,
                other.release == job.release, other.need == need, other.state.isOver
            else { return false }
            let pause =
                other.state == .done ? policy.pauseAfterDone : policy.pauseAfterFailure
            return date.timeIntervalSince(other.changed) < pause
        }
    }

    static func digest(_ parts: [String]) -> String {
        let text = parts.sorted().joined(separator: "\n")
        return String(SHA256Digest(of: Array(text.utf8)).description.prefix(16))
    }
}

extension UpkeepState {
    /// The open job of a kind in a team's account.
    fileprivate func open(_ kind: Job.Kind, of team: Team) -> Job? {
        jobs.first { $0.kind == kind && $0.team == team.identifier && !$0.state.isOver }
    }
}

extension Job {
    /// Whether the job waits for a date, and not because an attempt failed.
    var waitsInOrder: Bool { state == .waiting && attempts == 0 && failing == nil }

    fileprivate func asking(for need: String) -> Job {
        var job = self
        job.need = need
        return job
    }
}
