import Bytes
import Cryptography
import Essentials
import GitRepositories
import Mirrors
import Releases
import Sandboxing
import Store
import Versions

/// One build from its first step to its record.
struct Build: Sendable {
    let place: MirrorContext
    let mirror: Mirror
    let run: MirrorRun
    let commit: CommitIdentifier
    /// Is given the log as it grows.
    let tap: (@Sendable ([UInt8]) -> Void)?
    /// Gives the time that steps take, whatever the clock of the documents says.
    private let timer = ContinuousClock()

    var store: OTAStore { place.store }
    private var workspace: Workspace {
        place.folders.workspace(run.number, of: mirror.name, isOthers: mirror.user != nil)
    }

    /// Runs it and records how it went, whatever happens.
    func run() async throws -> MirrorRun {
        let (secrets, log) = try await blocking {
            let secrets = try store.secrets(of: mirror.name).variables
            let log = try BuildLog(
                at: place.folders.log(run.number, of: mirror.name),
                hiding: secrets.values,
                limit: mirror.limits.logBytes,
                tap: tap,
            )
            return (secrets, log)
        }
        var state = MirrorRun.State.succeeded
        var reason: String?
        do {
            try await build(with: secrets, log)
        } catch {
            (state, reason) = outcome(of: error)
        }
        // Also when the task is cancelled, in which no further program could run.
        let workspace = workspace
        await Task { await workspace.remove() }.value
        if let reason { log.say("\(state.rawValue): \(reason)") } else { log.say(state.rawValue) }
        let (end, why) = (state, reason)
        return try await blocking { try finish(end, why, log) }
    }

    private func outcome(of error: any Error) -> (MirrorRun.State, String) {
        switch error {
        case BuildStop.skipped(let reason): (.skipped, reason)
        case BuildStop.failed(let reason): (.failed, reason)
        case BuildStop.cancelled(let who): (.cancelled, "cancelled by \(who)")
        case BuildStop.interrupted, is CancellationError:
            (
                .interrupted,
                "the process that ran it was stopped",
            )
        default: (.failed, PrintableText(escaping: "\(error)", limit: 1000).text)
        }
    }

    private func finish(
        _ state: MirrorRun.State,
        _ reason: String?,
        _ log: BuildLog,
    ) throws -> MirrorRun {
        let bytes = try log.bytes()
        let blob = try store.put(bytes)
        let issues = BuildIssueScan.issues(in: bytes, below: [workspace.checkout])
        let run = try store.changeRun(run.number, of: mirror.name) { run in
            run.state = state
            run.reason = reason
            run.ended = place.now
            run.log = blob
            if state == .failed, !issues.isEmpty { run.issues = issues }
            for index in run.steps.indices where run.steps[index].state == .running {
                run.steps[index].state = .failed
            }
            for index in run.steps.indices where run.steps[index].state == .waiting {
                run.steps[index].state = .skipped
            }
        }
        try? FileManager.default.removeItem(atPath: log.path)
        if state == .succeeded, run.isRebuild, let reference = run.reference,
            reference.hasBytes(first: "refs/tags/")
        {
            try store.changeMirrorState(mirror.name) { $0.accept(reference, on: run.commit) }
        }
        return run
    }

    /// Whether what is built was pushed by users whom the admin trusts with the secrets: to a
    /// trusted reference, or, where a commit was named, one that such a reference is on now.
    private func isTrusted(in repository: BareRepository) async throws -> Bool {
        if let reference = run.reference { return mirror.trusts(reference) }
        return try await repository.references()
            .contains { $0.commit == commit && mirror.trusts($0.name) }
    }

    private func build(with secrets: [String: String], _ log: BuildLog) async throws {
        let repository = place.repository(of: mirror)
        log.say("build \(run.number) of \(mirror.name): \(run.subject), commit \(commit)")
        if let number = run.repeats { log.say("repeats build \(number), which was interrupted") }
        for warning in run.warnings { log.say("note: \(warning)") }
        log.say(ControlGroups.sentence(for: place.controlGroups))
        let pipeline = try await pipeline(in: repository)
        for folder in pipeline.requires
        where try await !repository.hasFolder(folder, at: commit) {
            throw BuildStop.skipped("no `\(folder)` folder in the commit")
        }
        let facts = try await facts(in: repository)
        try await record { run in
            run.version = facts.version
            run.marketingVersion = facts.marketingVersion
            run.buildNumber = facts.buildNumber
            run.channel = facts.channel
            run.steps = pipeline.steps.map { MirrorRun.Step(name: $0.name) }
        }
        for (name, value) in facts.variables where name != "NOTES" { log.say("\(name)=\(value)") }
        var secrets = secrets
        if !secrets.isEmpty, try await !isTrusted(in: repository) {
            log.say("secrets are withheld: \(run.subject) is not among the trusted references")
            secrets = [:]
        }
        try await workspace.prepare()
        try await untilCancelled { try await checkOut(repository, log) }
        let environment = BuildEnvironment(
            mirror: mirror,
            run: run,
            facts: facts,
            place: workspace,
        )
        let runner = StepRunner(
            mirror: mirror,
            run: run,
            workspace: workspace,
            environment: environment.own.merging(pipeline.environment) { _, new in new },
            secrets: secrets,
            time: BuildTime(of: pipeline, for: mirror, from: timer.now),
            hidden: [place.folders.store] + place.hidden,
            controlGroups: place.controlGroups,
        )
        if let user = try runner.user() { try await workspace.hand(to: user) }
        try await steps(of: pipeline, runner, log)
        try await deliver(pipeline, facts, log)
        try await settleOlder(log)
    }

    private func checkOut(_ repository: BareRepository, _ log: BuildLog) async throws {
        var extent = CheckoutExtent()
        try await repository.checkOut(
            commit,
            into: workspace.checkout,
            symbolicLinks: mirror.makesSymbolicLinks,
            after: &extent,
        )
        let top = workspace.checkout
        var submodules = SubmoduleCheckout(of: mirror, in: place, top: top) { log.say($0) }
        try await submodules?.fill(
            commit,
            of: repository,
            from: mirror.address,
            after: &extent,
        )
    }

    /// The admin's own pipeline, or the one of the commit.
    private func pipeline(in repository: BareRepository) async throws -> Pipeline {
        if let text = mirror.pipeline { return try Pipeline(yaml: text) }
        let path = mirror.pipelinePath
        let bytes: [UInt8]?
        do {
            bytes = try await repository.file(path, at: commit, limit: Pipeline.sizeLimit)
        } catch GitFailure.tooMuchOutput {
            throw BuildStop.failed("`\(path)` has more than \(Pipeline.sizeLimit >> 10) KiB")
        }
        guard let bytes else { throw BuildStop.skipped("no `\(path)` in the commit") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw BuildStop.failed("`\(path)` is not UTF-8")
        }
        return try Pipeline(yaml: text)
    }

    private func facts(in repository: BareRepository) async throws -> VersionFacts {
        let choice: TagChoice =
            if let tag = run.tag { .named(try TagName(tag), prefix: mirror.prefix) } else {
                .none(prefix: mirror.prefix)
            }
        return try await repository.git.versionFacts(of: commit, choosing: choice).facts
    }

    private func steps(
        of pipeline: Pipeline,
        _ runner: StepRunner,
        _ log: BuildLog,
    ) async throws {
        for (index, step) in pipeline.steps.enumerated() {
            try await checkCancelled()
            guard step.conditions.hold(for: run) else {
                let words = step.conditions.map(\.rawValue).joined(separator: " or ")
                log.say("── \(step.name): skipped, only for \(words)")
                try await record { run in
                    run.steps[index].state = .skipped
                    run.steps[index].reason = "only for \(words)"
                }
                continue
            }
            log.say("── \(step.name)")
            try await record { $0.steps[index].state = .running }
            let start = timer.now
            let watch = StepWatch(store: store, mirror: mirror, run: run, folder: workspace.root)
            let (ending, excess) = try await watch.ending { try await runner.run(step, log) }
            let seconds = Int((timer.now - start).components.seconds)
            let problem =
                excess?.description
                ?? (ending == .timedOut
                    ? runner.reason(forEnding: step) : ending.problem(for: mirror))
            try await record { run in
                run.steps[index].state = problem == nil ? .succeeded : .failed
                run.steps[index].seconds = seconds
                run.steps[index].reason = problem
                if case .exited(let code) = ending { run.steps[index].exitCode = Int(code) }
            }
            try await checkCancelled()
            if ending == .cancelled, excess == nil { throw BuildStop.interrupted }
            if let problem { throw BuildStop.failed("step “\(step.name)” \(problem)") }
        }
    }

    private func deliver(
        _ pipeline: Pipeline,
        _ facts: VersionFacts,
        _ log: BuildLog,
    ) async throws {
        guard !pipeline.artifacts.isEmpty else { return }
        try await checkCancelled()
        log.say("── artifacts")
        let delivery = ArtifactDelivery(
            store: store,
            anchors: place.anchors,
            mirror: mirror,
            run: run,
            facts: facts,
            pipeline: pipeline,
            checkout: try await blocking { try workspace.openCheckout() },
            package: place.folders.package(run.number, of: mirror.name),
            signer: place.signer,
            date: place.now,
        )
        let failure = try await delivery.deliver(
            saying: { log.say($0) },
            recording: { artifacts in
                try await record { $0.artifacts = artifacts }
                // What was taken is there; the rest is not.
                try await checkCancelled()
            },
        )
        if let failure { throw BuildStop.failed(failure) }
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
            try await record { $0.warnings.append(words) }
        }
    }

    private func record(_ change: @escaping @Sendable (inout MirrorRun) -> Void) async throws {
        _ = try await blocking { try store.changeRun(run.number, of: mirror.name, change) }
    }
}
