import Bytes
import Mirrors
import Releases
import Sandboxing
import Store

/// Keeping the artifacts of a build whose steps failed, such as test results.
extension Build {
    /// Keeps the existing artifacts with the build, and publishes none.
    ///
    /// The build fails for the reason that it already has, whatever happens here.
    func keepArtifacts(of plan: BuildPlan, from checkout: BuildCheckout) async {
        guard !plan.pipeline.artifacts.isEmpty else { return }
        let log = plan.log
        do {
            guard let folder = try await checkout.openIfThere() else { return }
            log.endOutput()
            log.say("── artifacts of the failed build: kept, not published")
            var delivery = delivery(of: plan, from: folder)
            delivery.hasFailed = true
            try await requireSpace()
            let record = record
            _ = try await delivery.deliver(
                saying: { log.say($0) },
                recording: { artifacts in
                    try await record.change { $0.artifacts = artifacts }
                    // The artifacts kept so far stay; the others are skipped.
                    try await record.checkCancelled()
                    try Task.checkCancellation()
                    try await requireSpace()
                },
            )
        } catch {
            log.say("warning: no further artifact is kept: \(outcome(of: error).1)")
        }
    }

    /// - Throws: ``HandInFailure/noSpace`` if the store's disk has only the space left that must stay free.
    private func requireSpace() async throws {
        let folder = place.folders.store
        guard await blocking({ DiskUse.hasSpace(folder) }) else { throw HandInFailure.noSpace }
    }
}
