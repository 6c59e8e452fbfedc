import Bytes
import Essentials
import Mirrors
import Releases
import Store

/// How a build ends, and what its record says about it.
extension Build {
    func outcome(of error: any Error) -> (MirrorRun.State, String) {
        switch error {
        case let stop as BuildStop: (stop.state, stop.description)
        case is CancellationError: outcome(of: BuildStop.interrupted)
        default: (.failed, PrintableText(escaping: "\(error)", limit: 1000).text)
        }
    }

    func finish(
        _ state: MirrorRun.State,
        _ reason: String?,
        _ log: BuildLog,
    ) throws -> MirrorRun {
        let bytes = try log.bytes()
        let blob = try store.put(bytes)
        let issues = BuildIssueScan.issues(
            in: log.output(of: bytes),
            below: [workspace.checkout],
        )
        try store.withdrawStage(of: run)
        // A runner's reason may contain a secret, as its output may.
        let reason = reason.map(log.masked)
        let run = try store.changeRun(run.number, of: mirror.name) { run in
            run.state = state
            run.reason = reason
            run.ended = place.now
            run.log = blob
            run.waitingFor = nil
            if state == .failed, !issues.isEmpty { run.issues = issues }
            for index in run.steps.indices where run.steps[index].state == .running {
                run.steps[index].state = .failed
            }
            for index in run.steps.indices where run.steps[index].state == .waiting {
                run.steps[index].state = .skipped
            }
        }
        try? FileManager.default.removeItem(atPath: log.path)
        try store.removeStage(ofEnded: run, place.folders)
        if state == .succeeded, run.isRebuild, let reference = run.reference,
            reference.hasBytes(first: "refs/tags/")
        {
            try store.changeMirrorState(mirror.name) { $0.accept(reference, on: run.commit) }
        }
        return run
    }
}
