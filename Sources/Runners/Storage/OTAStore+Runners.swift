package import Essentials
package import Identifiers
package import Releases
package import Store

/// The documents of runners.
extension OTAStore {
    package func runners() throws(StoreFailure) -> RunnerRegister {
        try value(RunnerRegister.self, .runners()) ?? RunnerRegister()
    }

    /// The register, read from the store again, for a token that ``runners()`` does not know.
    package func currentRunners() throws(StoreFailure) -> RunnerRegister {
        try value(RunnerRegister.self, .runners(), isCurrent: true) ?? RunnerRegister()
    }

    /// Changes the register of runners.
    ///
    /// A runner that the change removes is also removed from the previous generation of the document, so
    /// that restoring the generation does not restore the runner's token.
    ///
    /// - Throws: what `change` throws, and ``StoreFailure``.
    @discardableResult
    package func changeRunners(
        _ change: (inout RunnerRegister) throws -> Void,
        recording: () throws -> [Activity] = { [] },
    ) throws -> RunnerRegister {
        var before: Set<Slug> = []
        let result = try self.change(.runners(), else: RunnerRegister()) { register in
            before = Set(register.runners.map(\.name))
            try change(&register)
        } recording: {
            try recording()
        }
        if !before.isSubset(of: result.value.runners.map(\.name)) {
            try backend.forgetPrevious(of: .runners())
        }
        return result.value
    }

    /// Records in one change that runners are waiting for work, unless that is known.
    package func noteRunners(waiting names: [Slug], at date: Date) throws {
        var register = try runners()
        guard register.note(waiting: names, at: date) else { return }
        try changeRunners { $0.note(waiting: names, at: date) }
    }

    /// Records in one change that the agents of runners are no longer connected, unless that is known.
    ///
    /// - Parameter departures: the runners that are gone, and when each was last heard from.
    /// - Throws: `StoreFailure`.
    package func noteRunners(gone departures: [Slug: Date]) throws {
        var register = try runners()
        guard register.note(gone: departures) else { return }
        try changeRunners { $0.note(gone: departures) }
    }

    /// Removes a runner; its build is offered to another runner.
    ///
    /// - Throws: ``RunnerRefusal/unknown(_:)`` and ``StoreFailure``.
    package func removeRunner(
        _ name: Slug,
        recording: () throws -> [Activity] = { [] },
    ) throws {
        try changeRunners({ try $0.remove(name) }, recording: recording)
        try giveUpStages(of: name, because: "runner \(name) was removed")
    }

    /// Ends the attempts of a runner.
    ///
    /// - Parameters:
    ///   - runner: the runner.
    ///   - isKept: whether the runner may continue a stage.
    ///   - reason: the reason, as the end of a sentence.
    /// - Throws: `StoreFailure`.
    package func giveUpStages(
        of runner: Slug,
        except isKept: (RunnerStage) -> Bool = { _ in false },
        because reason: String,
    ) throws {
        for stage in try stages()
        where stage.attempts.last?.runner == runner && !isKept(stage) {
            guard let attempt = stage.attempt else { continue }
            do {
                try changeStage(of: stage.build, stage.mirror, heldBy: runner, as: attempt) {
                    $0.give(up: reason)
                }
            } catch RunnerRefusal.leaseEnded {
                // The lease ended since it was read.
            }
        }
    }

    /// Removes a mirror, or an earlier one of the same name, from all runners, and deletes its stages.
    package func forgetRunners(of mirror: Slug) throws {
        if try runners().runners.contains(where: { $0.mirrors.contains(mirror) }) {
            try changeRunners { $0.forget(mirror: mirror) }
        }
        for stage in try stages() where stage.mirror == mirror {
            try removeStage(of: stage.build, mirror)
        }
    }

    /// Returns the documents of runners and stages that cannot be read.
    ///
    /// - Throws: ``StoreFailure`` only if the store cannot be listed.
    package func runnerProblems() throws(StoreFailure) -> [StoreProblem] {
        var problems = [problem { () throws(StoreFailure) in _ = try runners() }]
        for file in try backend.names(in: .stages) where file.hasSuffix(".json") {
            problems.append(
                problem { () throws(StoreFailure) in
                    _ = try value(RunnerStage.self, DocumentName.stages.appending(file))
                }
            )
        }
        return problems.compactMap(\.self)
    }
}

extension DocumentName {
    fileprivate static func runners() throws(StoreFailure) -> DocumentName {
        try DocumentName("runners.json")
    }
}
