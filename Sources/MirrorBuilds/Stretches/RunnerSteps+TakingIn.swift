import Bytes
import Essentials
import Identifiers
import Mirrors
import Runners
import Sandboxing
import Store

/// What a runner hands in, and how it comes into the server's checkout.
extension RunnerSteps {
    /// Unpacks what the runner of a finished stage has handed in.
    ///
    /// - Throws: ``BuildStop`` where it is not as an archive must be; what is there of it then is gone with
    ///   the checkout.
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
                    throw SourceFailure(offset: 0, reason: "it is not as long as it should be")
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
            throw BuildStop.failed("the files of runner \(attempt.runner) are refused: \(words)")
        }
        say(outcome, by: attempt.runner)
    }

    private func say(_ outcome: HandIn.Outcome, by runner: Slug) {
        plan.log.say(
            "runner \(runner) handed in \(outcome.files) files of \(outcome.bytes) bytes"
        )
        if outcome.strangers > 0 {
            plan.log.say(
                "note: \(outcome.strangers) more files were left out, which are no artifacts of the "
                    + "pipeline"
            )
        }
        for link in outcome.links.prefix(10) {
            let name = PrintableText(escaping: link.text, limit: 200).text
            plan.log.say("warning: \(name) was left out: it is a link out of the checkout")
        }
    }
}
