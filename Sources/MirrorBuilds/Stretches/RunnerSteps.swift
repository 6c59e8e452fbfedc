import Bytes
import Essentials
import GitRepositories
import Identifiers
import Mirrors
import Releases
import Runners
import Sandboxing
import Store
import Versions

/// Has a runner run a stretch of steps: offers the stage, follows it to its end, and unpacks the files that
/// the runner uploads.
struct RunnerSteps: Sendable {
    let plan: BuildPlan
    let checkout: BuildCheckout
    private let timer = ContinuousClock()

    /// Seconds for which a build waits for a runner.
    static let patience = 24.0 * 3600
    /// Seconds beyond the steps' time limit, for transfers to the runner and back.
    private static let travel = 3600
    private static let beat = Duration.milliseconds(250)

    init(of plan: BuildPlan, in checkout: BuildCheckout) {
        self.plan = plan
        self.checkout = checkout
    }

    // MARK: Offering

    /// The steps of a stretch, as sent to the runner.
    static func steps(of stretch: Pipeline.Stretch, in plan: BuildPlan) -> [RunnerStage.Step] {
        stretch.steps.map { index in
            let step = plan.pipeline.steps[index]
            var told = RunnerStage.Step(
                index: index,
                name: step.name,
                run: step.run,
                environment: step.environment,
            )
            told.workingDirectory = step.workingDirectory
            told.timeout = step.timeout
            return told
        }
    }

    /// Offers a stretch to runners.
    ///
    /// - Parameters:
    ///   - stretch: a stretch of the pipeline that runs on a runner.
    ///   - time: the build's time limit and what is left of it.
    /// - Returns: the stage.
    /// - Throws: `StoreFailure`, and why files of earlier steps cannot be sent.
    func offer(_ stretch: Pipeline.Stretch, within time: BuildTime) async throws -> RunnerStage {
        let labels = stretch.labels ?? []
        let (store, run, mirror, place) = (plan.store, plan.run, plan.mirror, plan.place)
        let hasFiles = try await sendFiles(before: stretch)
        let search = try await blocking {
            RunnerSearch(
                labels: labels,
                mirror: mirror.name,
                subject: run.subject,
                isUntrusted: !plan.isTrusted,
                runners: try store.runners().runners,
                date: place.now,
            )
        }
        plan.log.say(search.sentence)
        let environment = BuildEnvironment(mirror: mirror, run: run, facts: plan.facts).elsewhere
        var stage = RunnerStage(
            mirror: mirror.name,
            build: run.number,
            commit: plan.commit.description,
            subject: run.subject,
            labels: labels,
            steps: Self.steps(of: stretch, in: plan),
            environment: environment.merging(plan.pipeline.environment) { _, new in new },
            usesSecrets: !plan.secrets.isEmpty,
            artifacts: plan.pipeline.handedIn(by: run),
            limits: RunnerStage.Limits(
                seconds: max(1, time.left),
                logBytes: mirror.limits.logBytes,
                fileBytes: mirror.limits.fileBytes,
                diskBytes: mirror.limits.diskBytes ?? MirrorLimits.defaultDiskBytes,
            ),
            hasFiles: hasFiles,
            logStart: plan.log.length,
            at: place.now,
        )
        stage.symbolicLinks = mirror.makesSymbolicLinks
        stage.isUntrusted = plan.isTrusted ? nil : true
        let offered = stage
        try await blocking {
            try store.removeStage(ofEnded: run, leaving: hasFiles, place.folders)
            try store.offer(offered)
        }
        return offered
    }

    /// Packs what the runner's commit does not contain: files of earlier stretches, and submodules.
    private func sendFiles(before stretch: Pipeline.Stretch) async throws -> Bool {
        let (plan, run) = (plan, plan.run)
        var folders: [String] = []
        if let policy = plan.mirror.submodules {
            folders = try await plan.place.repository(of: plan.mirror)
                .submodules(of: plan.commit, fetchedFrom: plan.mirror.address, allowing: policy)
                .map(\.path)
        }
        let isFirst = plan.stretches.first == stretch
        let patterns = isFirst ? [] : plan.pipeline.handedIn(by: run)
        guard !folders.isEmpty || !patterns.isEmpty else { return false }
        let open = try await checkout.open()
        let path = plan.place.folders.stageInput(run.number, of: plan.mirror.name)
        let submodules = folders
        let count = try await blocking {
            var input = StageInput(of: open)
            do {
                return try input.write(matching: patterns, and: submodules, to: path)
            } catch is ZippedFiles.TooManyFiles {
                throw BuildStop.failed(
                    "there are more than \(ZippedFiles.countLimit) files for the runner"
                )
            }
        }
        if count > 0 {
            let files = Wording.count(count, "file")
            plan.log.say("sending \(files) of the checkout to the runner")
        }
        return count > 0
    }

    // MARK: Following

    /// Waits for the end of a stage, including one that an earlier process offered.
    ///
    /// - Returns: the stage, all of whose steps succeeded, and the time during which no runner worked on
    ///   it.
    /// - Throws: ``BuildStop``, and `CancellationError` if this process is being stopped.
    func follow(_ offered: RunnerStage) async throws -> (stage: RunnerStage, pause: Duration) {
        var follower = StageFollower(of: plan.run, into: plan.log, in: plan.place)
        do {
            return try await follow(with: &follower)
        } catch let stop as BuildStop {
            if case .interrupted = stop { throw stop }
            let stage = await follower.takeRest()
            if case .failed = stop, let stage, stage.state == .finished {
                await takeInOfFailed(stage)
            }
            throw stop
        } catch {
            // The server's next process continues the stage; nothing continues the stage of a command.
            if !plan.place.leavesStages { await follower.takeRest() }
            throw error
        }
    }

    private func follow(
        with follower: inout StageFollower
    ) async throws -> (stage: RunnerStage, pause: Duration) {
        let (store, run, place) = (plan.store, plan.run, plan.place)
        let (start, began) = (timer.now, place.clock())
        var leased: (attempt: Int, since: ContinuousClock.Instant)?
        while true {
            let stage = try await blocking {
                try Self.current(run, in: store, at: place.clock(), listeningSince: began)
            }
            try await follower.take(stage)
            try await plan.record.checkCancelled()
            if stage.state.isOver {
                try await judge(stage)
                let worked = leased.map { timer.now - $0.since } ?? .zero
                return (stage, timer.now - start - worked)
            }
            if let attempt = stage.attempt {
                if leased?.attempt != attempt { leased = (attempt, timer.now) }
            } else {
                leased = nil
            }
            try checkTime(of: stage, since: leased?.since)
            try await Task.sleep(for: Self.beat)
        }
    }

    /// The current stage; if its lease has expired and no other process has ended it, ends the lease.
    private static func current(
        _ run: MirrorRun,
        in store: OTAStore,
        at date: Date,
        listeningSince began: Date,
    ) throws -> RunnerStage {
        guard let stage = try store.stage(of: run.number, run.mirror, isCurrent: true) else {
            throw BuildStop.interrupted
        }
        return try store.expire(stage, at: date, listeningSince: began).stage
    }

    private func checkTime(
        of stage: RunnerStage,
        since leased: ContinuousClock.Instant?,
    ) throws(BuildStop) {
        if let leased, timer.now - leased > .seconds(stage.limits.seconds + Self.travel) {
            let name = stage.attempts.last.map { "runner \($0.runner)" } ?? "the runner"
            let time = BuildTime(of: plan.pipeline, for: plan.mirror, from: timer.now)
            throw .failed("\(name) did not finish in time: \(time)")
        }
        guard stage.state == .offered else { return }
        let asked = max(stage.offered, stage.attempts.last?.until ?? stage.offered)
        guard plan.place.clock().timeIntervalSince(asked) > Self.patience else { return }
        let wanted = stage.labels.map(\.rawValue).joined(separator: ", ")
        throw .failed(
            "no runner with \(wanted) took it within \(Int(Self.patience) / 3600) hours"
        )
    }

    /// Throws to end the build unless the stage is still open or its steps have succeeded.
    private func judge(_ stage: RunnerStage) async throws {
        switch stage.state {
        case .offered, .leased: return
        case .withdrawn: throw BuildStop.interrupted
        case .lost:
            let reason = stage.reason ?? "no runner finished the steps"
            let count = stage.attempts.count
            throw BuildStop.failed(count > 1 ? "\(reason); it was attempt \(count)" : reason)
        case .finished: break
        }
        guard let outcome = stage.outcome, let attempt = stage.attempts.last else {
            throw BuildStop.failed("the runner did not report how the steps ended")
        }
        switch outcome.ending {
        case .succeeded:
            // The runner's reports on the steps must not contradict its outcome.
            if let failed = attempt.steps.first(where: { $0.state == .failed }) {
                throw BuildStop.failed(reason(of: failed))
            }
            let indices = stage.steps.map(\.index)
            try await plan.record.change { run in
                for index in indices where run.steps.indices.contains(index) {
                    run.steps[index].state = .succeeded
                }
            }
        case .failed:
            let failed = attempt.steps.first { $0.state == .failed }
            let words =
                outcome.reason.map { PrintableText(escaping: $0, limit: 1000).text }
                ?? failed.map(reason) ?? "runner \(attempt.runner) failed without giving a reason"
            throw BuildStop.failed(withLimit(words))
        case .cancelled:
            throw BuildStop.failed(
                outcome.reason.map { PrintableText(escaping: $0, limit: 1000).text }
                    ?? "runner \(attempt.runner) cancelled the build"
            )
        }
    }

    /// A runner does not know who set the time limit that it was given, so the server adds that.
    private func withLimit(_ reason: String) -> String {
        guard let front = reason.dropping(lastBytes: "the time limit of the build is over") else {
            return reason
        }
        return front + BuildTime(of: plan.pipeline, for: plan.mirror, from: timer.now).description
    }

    private func reason(of report: RunnerStage.StepReport) -> String {
        let steps = plan.pipeline.steps
        let name = steps.indices.contains(report.index) ? steps[report.index].name : "a step"
        let reason =
            report.reason.map { PrintableText(escaping: $0, limit: 200).text }
            ?? report.exitCode.map { "failed with exit status \($0)" } ?? "failed"
        return "step “\(name)” \(reason)"
    }
}
