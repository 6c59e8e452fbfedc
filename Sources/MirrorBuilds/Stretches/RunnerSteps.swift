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

/// Lets a runner run a stretch of steps: offers the stage, follows it to its end, and unpacks the
/// files that the runner hands in.
struct RunnerSteps: Sendable {
    let plan: BuildPlan
    let checkout: BuildCheckout
    private let timer = ContinuousClock()

    /// Seconds for which a build waits for a runner.
    static let patience = 24.0 * 3600
    /// Seconds beyond the time of the steps, for transfers to the runner and back.
    private static let travel = 3600
    private static let beat = Duration.milliseconds(250)

    init(of plan: BuildPlan, in checkout: BuildCheckout) {
        self.plan = plan
        self.checkout = checkout
    }

    // MARK: Offering

    /// The steps of a stretch, as the runner receives them.
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

    /// Offers a stretch.
    ///
    /// - Parameters:
    ///   - stretch: of the pipeline, for a runner.
    ///   - time: what is left of the build's.
    /// - Returns: the stage.
    /// - Throws: `StoreFailure`, and what keeps files of earlier steps from being sent.
    func offer(_ stretch: Pipeline.Stretch, within time: BuildTime) async throws -> RunnerStage {
        let labels = stretch.labels ?? []
        let (store, run, mirror, place) = (plan.store, plan.run, plan.mirror, plan.place)
        let hasFiles = try await sendFiles(before: stretch)
        let search = try await blocking {
            RunnerSearch(
                labels: labels,
                mirror: mirror.name,
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
        let offered = stage
        try await blocking {
            try store.removeStage(ofEnded: run, leaving: hasFiles, place.folders)
            try store.offer(offered)
        }
        return offered
    }

    /// Packs what the runner does not have in its commit: files of earlier stretches, and submodules.
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
                    "the files for the runner are more than \(ZippedFiles.countLimit)"
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

    /// Waits for the end of a stage, also of one that an earlier process offered.
    ///
    /// - Returns: the stage, all of whose steps succeeded, and the time for which no runner worked
    ///   on it.
    /// - Throws: ``BuildStop``, and `CancellationError` when this process is to end.
    func follow(_ offered: RunnerStage) async throws -> (stage: RunnerStage, pause: Duration) {
        let (store, run, place) = (plan.store, plan.run, plan.place)
        let (start, began) = (timer.now, place.clock())
        var follower = StageFollower(of: plan)
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

    /// The stage as it is now, after a lease has ended that nobody else has ended.
    private static func current(
        _ run: MirrorRun,
        in store: OTAStore,
        at date: Date,
        listeningSince began: Date,
    ) throws -> RunnerStage {
        guard var stage = try store.stage(of: run.number, run.mirror, isCurrent: true) else {
            throw BuildStop.interrupted
        }
        guard stage.expire(at: date, listeningSince: began) != nil else { return stage }
        return try store.changeStage(of: run.number, run.mirror) {
            $0.expire(at: date, listeningSince: began)
        }
    }

    private func checkTime(
        of stage: RunnerStage,
        since leased: ContinuousClock.Instant?,
    ) throws(BuildStop) {
        if let leased, timer.now - leased > .seconds(stage.limits.seconds + Self.travel) {
            let name = stage.attempts.last.map { "runner \($0.runner)" } ?? "the runner"
            throw .failed("\(name) did not finish within the time limit of the build")
        }
        guard stage.state == .offered else { return }
        let asked = max(stage.offered, stage.attempts.last?.until ?? stage.offered)
        guard plan.place.clock().timeIntervalSince(asked) > Self.patience else { return }
        let wanted = stage.labels.map(\.rawValue).joined(separator: ", ")
        throw .failed(
            "no runner with \(wanted) took it within \(Int(Self.patience) / 3600) hours"
        )
    }

    /// Ends the build unless the steps of a stage that is over have succeeded.
    private func judge(_ stage: RunnerStage) async throws {
        switch stage.state {
        case .offered, .leased: return
        case .withdrawn: throw BuildStop.interrupted
        case .lost:
            let reason = stage.reason ?? "no runner finished the steps"
            throw BuildStop.failed("\(reason), after \(stage.attempts.count) attempts")
        case .finished: break
        }
        guard let outcome = stage.outcome, let attempt = stage.attempts.last else {
            throw BuildStop.failed("the runner did not report how the steps ended")
        }
        switch outcome.ending {
        case .succeeded:
            // Its reports on the steps must not contradict that.
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
                ?? failed.map(reason) ?? "runner \(attempt.runner) failed without a reason"
            throw BuildStop.failed(words)
        case .cancelled:
            throw BuildStop.failed(
                outcome.reason.map { PrintableText(escaping: $0, limit: 1000).text }
                    ?? "runner \(attempt.runner) cancelled the build"
            )
        }
    }

    private func reason(of report: RunnerStage.StepReport) -> String {
        let steps = plan.pipeline.steps
        let name = steps.indices.contains(report.index) ? steps[report.index].name : "a step"
        let reason =
            report.reason.map { PrintableText(escaping: $0, limit: 200).text }
            ?? report.exitCode.map { "failed with exit status \($0)" } ?? "failed"
        return "step “\(name)” \(reason)"
    }

    // MARK: Taking in

    /// Unpacks the files that the runner of a finished stage handed in.
    ///
    /// - Throws: ``BuildStop`` if the archive is not acceptable; the checkout is then removed, with
    ///   any files of it.
    func takeIn(_ stage: RunnerStage) async throws {
        guard let bytes = stage.outcome?.archiveBytes, bytes > 0, !stage.artifacts.isEmpty,
            let attempt = stage.attempts.last
        else { return }
        let path = plan.place.folders.stageArchive(
            plan.run.number,
            attempt: stage.latestAttempt,
            of: plan.mirror.name,
        )
        let folder = try await checkout.open()
        let (record, root) = (plan.record, checkout.workspace.root)
        let outcome: HandIn.Outcome
        do {
            outcome = try await blocking {
                guard try FileSource(path: path).count == bytes else {
                    throw SourceFailure(offset: 0, reason: "its length is not the announced one")
                }
                let files = try HandIn(
                    at: path,
                    matching: stage.artifacts,
                    within: stage.limits,
                )
                return try files.unpack(into: folder) {
                    try record.checkNow()
                    guard DiskUse.hasSpace(root) else { throw HandInFailure.noSpace }
                }
            }
        } catch let stop as BuildStop {
            throw stop
        } catch let failure as StoreFailure {
            throw failure
        } catch {
            let words = PrintableText(escaping: "\(error)", limit: 500).text
            throw BuildStop.failed(
                "the server refused the files of runner \(attempt.runner): \(words)"
            )
        }
        say(outcome, by: attempt.runner)
    }

    private func say(_ outcome: HandIn.Outcome, by runner: Slug) {
        plan.log.say(
            "runner \(runner) handed in \(Wording.count(outcome.files, "file")), "
                + Wording.size(outcome.bytes)
        )
        if outcome.strangers > 0 {
            let left = Wording.count(outcome.strangers, "more file was", "more files were")
            plan.log.say("note: \(left) left out: the pipeline names no such artifact")
        }
        for link in outcome.links.prefix(10) {
            let name = PrintableText(escaping: link.text, limit: 200).text
            plan.log.say("warning: \(name) was left out: it links out of the checkout")
        }
    }
}
