package import Essentials
package import Identifiers
package import Store

/// Leases in the store: if two runners ask for a stage at once, only one gets it.
extension OTAStore {
    /// Leases a stage to a runner.
    ///
    /// - Returns: the leased stage; nil if it is no longer offered.
    package func lease(
        _ build: Int,
        _ mirror: Slug,
        to runner: Slug,
        at date: Date,
        for seconds: Double = RunnerStage.leaseLife,
    ) throws -> RunnerStage? {
        var attempt: Int?
        do {
            let stage = try changeStage(of: build, mirror) {
                attempt = $0.lease(to: runner, at: date, for: seconds)
            }
            return attempt == nil ? nil : stage
        } catch StoreFailure.missing {
            return nil
        }
    }

    /// Changes a stage for the runner that holds it.
    ///
    /// - Returns: the changed stage.
    /// - Throws: ``RunnerRefusal/leaseEnded`` if that attempt does not hold it, what `change` throws, and
    ///   ``StoreFailure``.
    @discardableResult
    package func changeStage(
        of build: Int,
        _ mirror: Slug,
        heldBy runner: Slug,
        as attempt: Int,
        _ change: (inout RunnerStage) throws -> Void,
    ) throws -> RunnerStage {
        do {
            return try changeStage(of: build, mirror) { stage in
                guard stage.isHeld(by: runner, as: attempt) else { throw RunnerRefusal.leaseEnded }
                try change(&stage)
            }
        } catch StoreFailure.missing {
            throw RunnerRefusal.leaseEnded
        }
    }

    /// The stage that an attempt holds.
    ///
    /// - Throws: ``RunnerRefusal/leaseEnded``, and ``StoreFailure``.
    package func stage(
        of build: Int,
        _ mirror: Slug,
        heldBy runner: Slug,
        as attempt: Int,
    ) throws -> RunnerStage {
        guard let stage = try stage(of: build, mirror, isCurrent: true),
            stage.isHeld(by: runner, as: attempt)
        else { throw RunnerRefusal.leaseEnded }
        return stage
    }

    /// Returns the stage that a runner asking for work already holds, with its lease renewed.
    package func heldStage(by runner: Slug, at date: Date) throws -> RunnerStage? {
        guard let held = try stages().held(by: runner), let attempt = held.attempt else {
            return nil
        }
        do {
            return try changeStage(of: held.build, held.mirror, heldBy: runner, as: attempt) {
                $0.offerAgain(at: date)
            }
        } catch RunnerRefusal.leaseEnded {
            // The lease ended since it was read.
            return nil
        }
    }

    /// Takes back a stage whose lease did not reach its runner.
    package func takeBack(_ stage: RunnerStage) throws {
        guard let attempt = stage.attempt, let runner = stage.attempts.last?.runner else { return }
        do {
            try changeStage(of: stage.build, stage.mirror, heldBy: runner, as: attempt) {
                $0.takeBack()
            }
        } catch RunnerRefusal.leaseEnded {
            // The lease ended since it was given.
        }
    }

    /// Ends the leases of runners that were not heard from in time.
    ///
    /// - Returns: the stages whose leases ended, each with the reason.
    package func expireStages(
        at date: Date,
        listeningSince started: Date,
    ) throws -> [(stage: RunnerStage, reason: String)] {
        var ended: [(stage: RunnerStage, reason: String)] = []
        for stage in try stages() {
            do {
                let (now, reason) = try expire(stage, at: date, listeningSince: started)
                if let reason { ended.append((now, reason)) }
            } catch StoreFailure.missing {
                // The build has removed the stage in the meantime.
            }
        }
        return ended
    }

    /// Ends the lease of a stage whose runner was not heard from in time, and records that the runner is
    /// gone.
    ///
    /// - Parameters:
    ///   - stage: the stage as it was read.
    ///   - date: the current time.
    ///   - started: when the server began to listen; no runner could be heard from before.
    /// - Returns: the current stage; and the reason, as the end of a sentence, if its lease has ended.
    /// - Throws: `StoreFailure`, also if the stage no longer exists.
    package func expire(
        _ stage: RunnerStage,
        at date: Date,
        listeningSince started: Date,
    ) throws -> (stage: RunnerStage, reason: String?) {
        var copy = stage
        guard copy.expire(at: date, listeningSince: started) != nil else { return (stage, nil) }
        var lost: (runner: Slug, reason: String)?
        let now = try changeStage(of: stage.build, stage.mirror) { stage in
            lost = nil
            guard let runner = stage.attempts.last?.runner else { return }
            lost = stage.expire(at: date, listeningSince: started).map { (runner, $0) }
        }
        if let lost { try noteRunners(gone: [lost.runner: .distantPast]) }
        return (now, lost?.reason)
    }
}
