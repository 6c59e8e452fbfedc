package import Essentials
import Identifiers
package import Jobs
package import Releases

/// A device's progress towards a build that can be installed on it, as shown to its tester.
package struct DeviceProgress: Sendable, Equatable {
    /// The steps in order; a step that a team does by hand is skipped.
    package enum Step: String, Sendable, CaseIterable {
        /// An admin has to approve the device.
        case waitingForApproval
        /// The developer account does not have the device yet, or Apple is still processing it.
        case addingAtApple
        /// The offered build does not include the device yet.
        case preparing
        /// The offered build includes the device.
        case ready
    }

    /// Why the device is at this step; pages have a sentence for each reason in every language.
    package enum Reason: String, Sendable, CaseIterable {
        case disabled, ready, waiting
        /// A person makes the build.
        case hand
        case disabledAtApple = "disabled-at-apple"
        case processing, registering, signing
        /// The people who run the site have to act.
        case failed
        case agreement
        case noSlot = "no-slot"
        case badDevice = "bad-device"
        /// The team has to act.
        case problem
        /// Apple takes longer than usual.
        case slow
    }

    package let step: Step
    package let reason: Reason
    /// When this state began; nil if unknown.
    package let since: Date?
    /// The text about this step for the tester, as whole sentences.
    package let sentence: String
    /// Whether an admin must do something before the device can proceed, other than approve it.
    package let isStopped: Bool

    /// - Parameters:
    ///   - device: the device as it is in the register.
    ///   - team: the team in whose developer account the device is; nil for none, so that the text does not
    ///     mention Apple, because people do the work.
    ///   - isInBuild: whether the offered build includes the device.
    ///   - jobs: open jobs, and those that ended recently, in any order.
    ///   - date: the current time.
    package init(
        of device: Device,
        team: Team?,
        isInBuild: Bool,
        jobs: [Job],
        at date: Date,
    ) {
        let stage =
            device.state == .disabled
            ? Stage(
                .waitingForApproval,
                .disabled,
                "Your team has disabled this device.",
                isStopped: true,
            )
            : isInBuild
                ? Stage(.ready, .ready, "The build includes this device.")
                : Self.stage(of: device, TeamWork(of: team, jobs))
        step = stage.step
        reason = stage.reason
        sentence = stage.sentence
        isStopped = stage.isStopped
        since = stage.step == .ready ? nil : min(stage.since ?? device.stateSince, date)
    }

    private static func stage(of device: Device, _ work: TeamWork?) -> Stage {
        switch device.state {
        case .invited, .enrolled, .disabled:
            Stage(
                .waitingForApproval,
                .waiting,
                "This device is waiting for your team to approve it.",
            )
        case .approved, .registered:
            if let work {
                work.stageAtApple(of: device) ?? work.stageOfBuild(for: device)
            } else {
                Stage(
                    .preparing,
                    .hand,
                    "Your team publishes a new build that includes this device.",
                )
            }
        }
    }
}

/// A step with its text.
private struct Stage {
    let step: DeviceProgress.Step
    let reason: DeviceProgress.Reason
    let sentence: String
    var isStopped = false
    var since: Date?

    init(
        _ step: DeviceProgress.Step,
        _ reason: DeviceProgress.Reason,
        _ sentence: String,
        isStopped: Bool = false,
    ) {
        self.step = step
        self.reason = reason
        self.sentence = sentence
        self.isStopped = isStopped
    }
}

/// The server's work in the developer account of one team.
private struct TeamWork {
    /// Apple's own statement about devices of new accounts.
    private static let longest = "Apple can take up to 72 hours for new devices."
    private static let failed =
        "The people who run this site have to fix a problem first."

    private let account: TeamAccount
    private let jobs: [Job]

    /// - Returns: nil if the server does not work at Apple automatically.
    init?(of team: Team?, _ jobs: [Job]) {
        guard let team, let account = team.account, account.isActive else { return nil }
        self.account = account
        self.jobs = jobs.filter {
            $0.team == team.identifier || $0.signing?.team == team.identifier.rawValue
        }
    }

    /// - Returns: nil once Apple has enabled the device.
    func stageAtApple(of device: Device) -> Stage? {
        let status = account.snapshot?[device.udid]
        if status == .disabled {
            // A change that a person made at Apple is not undone.
            return Stage(
                .addingAtApple,
                .disabledAtApple,
                "Your team’s Apple developer account has this device disabled. Someone on your team "
                    + "has to enable it there.",
                isStopped: true,
            )
        }
        guard device.state == .approved else { return nil }
        if let obstacle = obstacle(in: .addingAtApple, [.registerDevice], since: device.stateSince)
        {
            return obstacle
        }
        switch status {
        case .processing, .ineligible, .other:
            return Stage(
                .addingAtApple,
                .processing,
                "The device is registered with Apple, which is still processing it. \(Self.longest) "
                    + "This continues on its own.",
            )
        case .enabled, .disabled, nil:
            return Stage(
                .addingAtApple,
                .registering,
                "This usually takes a few minutes. \(Self.longest)",
            )
        }
    }

    func stageOfBuild(for device: Device) -> Stage {
        let kinds: [Job.Kind] = [.renewCertificate, .renewProfile, .sign]
        if let obstacle = obstacle(in: .preparing, kinds, since: device.stateSince) {
            return obstacle
        }
        return Stage(
            .preparing,
            .signing,
            "The device is registered with Apple. The build is being signed again to include it, "
                + "which usually takes a few minutes.",
        )
    }

    private static func reason(of trouble: AccountTrouble) -> DeviceProgress.Reason {
        switch trouble.id {
        case "apple.agreement": .agreement
        case "apple.no-slot": .noSlot
        case "apple.bad-device", "apple.device-class": .badDevice
        case let id where id.hasPrefix("apple."): trouble.needsPerson ? .problem : .slow
        default: .failed
        }
    }

    /// Why the step has stopped, or takes longer than usual; nil if everything is normal.
    private func obstacle(
        in step: DeviceProgress.Step,
        _ kinds: [Job.Kind],
        since date: Date,
    ) -> Stage? {
        if let trouble = account.trouble {
            var stage = Stage(
                step,
                Self.reason(of: trouble),
                trouble.testerSentence,
                isStopped: trouble.needsPerson,
            )
            stage.since = max(trouble.since, date)
            return stage
        }
        let last = jobs.filter { kinds.contains($0.kind) }
            .max { ($0.created, $0.identifier) < ($1.created, $1.identifier) }
        guard let last, last.state == .failed, last.changed >= date else { return nil }
        var stage = Stage(step, .failed, Self.failed, isStopped: true)
        stage.since = last.changed
        return stage
    }
}
