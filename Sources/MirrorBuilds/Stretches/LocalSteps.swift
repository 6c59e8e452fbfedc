import Essentials
import Mirrors
import Releases
import Sandboxing
import Store

/// Runs steps on the server's own machine, in the checkout of the build.
struct LocalSteps: Sendable {
    private let plan: BuildPlan
    private let runner: StepRunner
    /// Measures how long steps take, independently of the clock that dates documents.
    private let timer = ContinuousClock()

    /// Prepares a stretch of steps: creates the checkout and gives it to the user that they run as.
    init(of plan: BuildPlan, in checkout: BuildCheckout, within time: BuildTime) async throws {
        try await checkout.require()
        let workspace = checkout.workspace
        let environment = BuildEnvironment(mirror: plan.mirror, run: plan.run, facts: plan.facts)
        self.plan = plan
        runner = StepRunner(
            mirror: plan.mirror,
            run: plan.run,
            workspace: workspace,
            environment: environment.inside(workspace)
                .merging(plan.pipeline.environment) { _, new in new },
            secrets: plan.secrets,
            time: time,
            hidden: [plan.place.folders.store] + plan.place.hidden,
            controlGroups: plan.place.controlGroups,
        )
        if let user = try runner.user() { try await workspace.hand(to: user) }
    }

    /// Runs a step until it ends.
    ///
    /// - Throws: ``BuildStop`` if it fails or is ended.
    func run(_ index: Int) async throws {
        let (log, record, step) = (plan.log, plan.record, plan.pipeline.steps[index])
        try await record.checkCancelled()
        log.say("── \(step.name)")
        try await record.change { $0.steps[index].state = .running }
        let start = timer.now
        let watch = StepWatch(
            store: plan.store,
            mirror: plan.mirror,
            run: plan.run,
            folder: runner.workspace.root,
        )
        let (ending, excess) = try await watch.ending { try await runner.run(step, log) }
        let seconds = Int((timer.now - start).components.seconds)
        let problem =
            excess?.description
            ?? (ending == .timedOut
                ? runner.reason(forEnding: step) : ending.problem(for: plan.mirror))
        try await record.change { run in
            run.steps[index].state = problem == nil ? .succeeded : .failed
            run.steps[index].seconds = seconds
            run.steps[index].reason = problem
            if case .exited(let code) = ending { run.steps[index].exitCode = Int(code) }
        }
        try await record.checkCancelled()
        if ending == .cancelled, excess == nil { throw BuildStop.interrupted }
        if let problem { throw BuildStop.failed("step “\(step.name)” \(problem)") }
    }
}
