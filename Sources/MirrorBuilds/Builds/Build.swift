import Bytes
import Cryptography
import Essentials
import GitRepositories
import Mirrors
import Releases
import Runners
import Sandboxing
import Store
import Versions

/// One build, from its first step to its final record.
struct Build: Sendable {
    let place: MirrorContext
    let mirror: Mirror
    let run: MirrorRun
    let commit: CommitIdentifier
    /// The stage at which an earlier process left the build; nil for a new build.
    var left: RunnerStage?
    /// Receives the log as it grows.
    let tap: (@Sendable ([UInt8]) -> Void)?

    var store: OTAStore { place.store }
    var record: BuildRecord { BuildRecord(of: run, in: store) }
    var workspace: Workspace {
        place.folders.workspace(run.number, of: mirror.name, isOthers: mirror.user != nil)
    }

    /// Runs the build and records how it ended, in every case.
    ///
    /// - Returns: the record; nil if this process is stopping and another one will continue the build.
    func run() async throws -> MirrorRun? {
        let (secrets, log) = try await blocking {
            let secrets = try store.secrets(of: mirror.name).variables
            let log = try BuildLog(
                at: place.folders.log(run.number, of: mirror.name),
                hiding: secrets.values,
                limit: mirror.limits.logBytes,
                keeping: left?.logStart,
                tap: tap,
            )
            return (secrets, log)
        }
        var state = MirrorRun.State.succeeded
        var reason: String?
        do {
            try await build(with: secrets, log)
        } catch {
            if await isLeft(after: error) { return nil }
            (state, reason) = outcome(of: error)
        }
        // In a new task, because a cancelled one cannot run the programs that remove the workspace.
        let workspace = workspace
        await Task { await workspace.remove() }.value
        log.endOutput()
        if let reason { log.say("\(state.rawValue): \(reason)") } else { log.say(state.rawValue) }
        let (end, why) = (state, reason)
        return try await blocking { try finish(end, why, log) }
    }

    /// Whether another process should continue the build, because this one is being stopped and a runner
    /// runs the steps, or has run them.
    private func isLeft(after failure: any Error) async -> Bool {
        guard place.leavesStages, Task.isCancelled else { return false }
        switch failure {
        case BuildStop.skipped, BuildStop.failed, BuildStop.cancelled: return false
        default: break
        }
        return await blocking {
            guard let stage = try? store.stage(of: run.number, run.mirror, isCurrent: true),
                let run = try? store.run(run.number, of: run.mirror)
            else { return false }
            return stage.canGoOn(run, hasCheckout: workspace.isThere)
        }
    }

    private func build(with secrets: [String: String], _ log: BuildLog) async throws {
        let plan: BuildPlan
        if let left {
            do {
                plan = try await resumed(left, with: secrets, log)
            } catch let stop as BuildStop {
                var follower = StageFollower(of: run, into: log, in: place)
                await follower.takeRest()
                throw stop
            }
        } else {
            plan = try await begun(with: secrets, log)
        }
        let checkout = BuildCheckout(
            of: plan,
            in: workspace,
            isThere: left != nil && !isFirst(left, in: plan),
        )
        do {
            try await steps(of: plan, in: checkout)
        } catch BuildStop.failed(let reason) {
            await keepArtifacts(of: plan, from: checkout)
            throw BuildStop.failed(reason)
        }
        try await deliver(plan, from: checkout)
        try await settleOlder(log)
    }

    /// Determines what to build, and records it.
    private func begun(with secrets: [String: String], _ log: BuildLog) async throws -> BuildPlan {
        let repository = place.repository(of: mirror)
        log.say("build \(run.number) of \(mirror.name): \(run.subject), commit \(commit)")
        if let number = run.repeats { log.say("repeats build \(number), which was interrupted") }
        for warning in run.warnings { log.say("note: \(warning)") }
        // Another server may have synced the commit; each server has its own copy of the repository.
        if try await !repository.has(commit) {
            _ = try await Synchronisation(of: mirror, in: place, by: "schedule").runInTurn()
        }
        let pipeline = try await pipeline(in: repository)
        for folder in pipeline.requires
        where try await !repository.hasFolder(folder, at: commit) {
            throw BuildStop.skipped("no `\(folder)` folder in the commit")
        }
        let facts = try await facts(in: repository)
        try await record.change { run in
            run.version = facts.version
            run.marketingVersion = facts.marketingVersion
            run.buildNumber = facts.buildNumber
            run.channel = facts.channel
            run.steps = pipeline.steps.map { MirrorRun.Step($0) }
        }
        var plan = BuildPlan(
            place: place,
            mirror: mirror,
            run: run,
            commit: commit,
            pipeline: pipeline,
            facts: facts,
            secrets: secrets,
            log: log,
        )
        for (name, value) in facts.variables where name != "NOTES" { log.say("\(name)=\(value)") }
        plan.isTrusted = try await isTrusted(in: repository)
        if !secrets.isEmpty, !plan.isTrusted {
            log.say("secrets are withheld: \(run.subject) is not among the trusted references")
            plan.secrets = [:]
        }
        return plan
    }

    // MARK: Steps

    private func steps(of plan: BuildPlan, in checkout: BuildCheckout) async throws {
        var time = BuildTime(of: plan.pipeline, for: mirror, from: .now)
        if let left { time.leave(left.limits.seconds) }
        var next = 0
        var hasSaidLimits = false
        for stretch in plan.stretches {
            guard let first = stretch.steps.first, let last = stretch.steps.last else { continue }
            // Steps before the stage at which the build was left have run.
            if let left, let stage = left.steps.first?.index, first < stage {
                next = last + 1
                continue
            }
            let range = next...last
            next = last + 1
            guard stretch.labels == nil else {
                time.add(try await haveRun(stretch, within: range, of: plan, in: checkout, time))
                continue
            }
            if !hasSaidLimits { plan.log.say(ControlGroups.sentence(for: place.controlGroups)) }
            hasSaidLimits = true
            let steps = try await LocalSteps(of: plan, in: checkout, within: time)
            for index in range {
                guard stretch.steps.contains(index) else {
                    try await skip(index, of: plan)
                    continue
                }
                try await steps.run(index)
            }
        }
        for index in next..<max(next, plan.pipeline.steps.count) {
            try await skip(index, of: plan)
        }
    }

    /// Has a runner run a stretch.
    ///
    /// - Returns: the time during which no runner worked on it.
    private func haveRun(
        _ stretch: Pipeline.Stretch,
        within range: ClosedRange<Int>,
        of plan: BuildPlan,
        in checkout: BuildCheckout,
        _ time: BuildTime,
    ) async throws -> Duration {
        let runner = RunnerSteps(of: plan, in: checkout)
        let stage: RunnerStage
        if let left, left.steps.map(\.index) == stretch.steps {
            stage = left
        } else {
            for index in range where !stretch.steps.contains(index) {
                try await skip(index, of: plan)
            }
            try await record.checkCancelled()
            stage = try await runner.offer(stretch, within: time)
        }
        let (finished, pause) = try await runner.follow(stage)
        try await runner.takeIn(finished)
        return pause
    }

    private func skip(_ index: Int, of plan: BuildPlan) async throws {
        try await record.checkCancelled()
        let step = plan.pipeline.steps[index]
        let words = step.conditions.map(\.rawValue).joined(separator: " or ")
        plan.log.say("── \(step.name): skipped, only for \(words)")
        try await record.change { run in
            run.steps[index].state = .skipped
            run.steps[index].reason = "only for \(words)"
        }
    }

    // MARK: Artifacts

    private func deliver(_ plan: BuildPlan, from checkout: BuildCheckout) async throws {
        guard !plan.pipeline.artifacts.isEmpty else { return }
        try await record.checkCancelled()
        let open = try await checkout.open()
        let log = plan.log
        log.endOutput()
        log.say("── artifacts")
        let record = record
        let failure = try await delivery(of: plan, from: open).deliver(
            saying: { log.say($0) },
            recording: { artifacts in
                try await record.change { $0.artifacts = artifacts }
                // The artifacts delivered so far stay; the others are skipped.
                try await record.checkCancelled()
            },
        )
        if let failure { throw BuildStop.failed(failure) }
    }

    func delivery(of plan: BuildPlan, from folder: OpenFolder) -> ArtifactDelivery {
        let record = record
        return ArtifactDelivery(
            store: store,
            anchors: place.anchors,
            mirror: mirror,
            run: run,
            facts: plan.facts,
            pipeline: plan.pipeline,
            checkout: folder,
            package: place.folders.package(run.number, of: mirror.name),
            signer: place.signer,
            beginsPublishing: {
                // A single change decides whether the build was cancelled or can no longer be: devices may
                // install the first release before the last is published.
                try await record.change { if $0.cancelledBy == nil { $0.isDelivering = true } }
                try await record.checkCancelled()
            },
            date: place.now,
        )
    }

    private func settleOlder(_ log: BuildLog) async throws {
        let settled = try await blocking { () throws -> [String] in
            guard let run = try store.run(run.number, of: mirror.name) else { return [] }
            let superseded = SupersededReleases(
                store: store,
                mirror: mirror,
                run: run,
                date: place.now,
            )
            return try superseded.settle()
        }
        for words in settled {
            log.say("note: \(words)")
            try await record.change { $0.warnings.append(words) }
        }
    }
}
