import Bytes
import Essentials
import Identifiers
import Mirrors
import Releases
import Runners
import Sandboxing
import Store

/// Moves the files that a runner uploads into the server's checkout.
extension RunnerSteps {
    /// Unpacks the files that the runner of a finished stage uploaded, whether the stage succeeded or
    /// failed.
    ///
    /// - Throws: ``BuildStop`` if the archive is not acceptable; the checkout is then removed, with any
    ///   files of the archive.
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
                    throw SourceFailure(offset: 0, reason: "its length is not what was announced")
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
        } catch {
            await checkout.abandon()
            guard !(error is BuildStop), !(error is StoreFailure) else { throw error }
            let words = PrintableText(escaping: "\(error)", limit: 500).text
            throw BuildStop.failed(
                "the server refused the files of runner \(attempt.runner): \(words)"
            )
        }
        say(outcome, by: attempt.runner)
    }

    /// Unpacks what the runner of a failed stage uploaded, such as test results.
    ///
    /// The build fails for the reason that it already has, even if this fails too.
    func takeInOfFailed(_ stage: RunnerStage) async {
        do {
            try await takeIn(stage)
        } catch {
            let words = PrintableText(escaping: "\(error)", limit: 500).text
            plan.log.say("warning: no artifact is kept: \(words)")
        }
    }

    private func say(_ outcome: HandIn.Outcome, by runner: Slug) {
        plan.log.say(
            "runner \(runner) uploaded \(Wording.count(outcome.files, "file")), "
                + Wording.size(outcome.bytes)
        )
        if outcome.strangers > 0 {
            let left = Wording.count(outcome.strangers, "more file was", "more files were")
            plan.log.say("note: \(left) left out: no artifact pattern of the pipeline matches")
        }
        if outcome.repositoryFiles > 0 {
            let left = Wording.count(outcome.repositoryFiles, "file was", "files were")
            plan.log.say("note: \(left) left out: nothing in .git becomes an artifact")
        }
        for link in outcome.links.prefix(10) {
            let name = PrintableText(escaping: link.text, limit: 200).text
            plan.log.say("warning: \(name) was left out: it links out of the checkout")
        }
    }
}
