package import Identifiers
package import Store

/// The documents of stages.
extension OTAStore {
    /// All stages in any state; damaged ones are left out.
    package func stages() throws -> [RunnerStage] {
        try names(in: .stages).compactMap { name in
            guard name.hasSuffix(".json") else { return nil }
            return try unlessDamaged {
                try value(RunnerStage.self, DocumentName.stages.appending(name))
            }
        }
    }

    /// Returns a stage; with `isCurrent`, it is read from the store again.
    package func stage(
        of build: Int,
        _ mirror: Slug,
        isCurrent: Bool = false,
    ) throws(StoreFailure) -> RunnerStage? {
        try value(RunnerStage.self, .stage(of: build, mirror), isCurrent: isCurrent)
    }

    /// Offers a stage, which replaces an earlier one of the same build.
    package func offer(_ stage: RunnerStage) throws {
        try removeStage(of: stage.build, stage.mirror)
        let name = try DocumentName.stage(of: stage.build, stage.mirror)
        guard try write(stage, to: name, if: .absent) else { throw StoreFailure.conflict(name) }
    }

    /// Changes a stage.
    ///
    /// - Throws: what `change` throws, and ``StoreFailure``, also if the stage does not exist.
    @discardableResult
    package func changeStage(
        of build: Int,
        _ mirror: Slug,
        _ change: (inout RunnerStage) throws -> Void,
    ) throws -> RunnerStage {
        try self.change(.stage(of: build, mirror), else: nil, change).value
    }

    /// Removes a stage, if there is one.
    package func removeStage(of build: Int, _ mirror: Slug) throws(StoreFailure) {
        let name = try DocumentName.stage(of: build, mirror)
        guard let document = try backend.read(name) else { return }
        try backend.delete(name, at: document.version)
    }
}

extension DocumentName {
    /// The name is unambiguous, because no mirror's name contains a full stop.
    fileprivate static func stage(
        of build: Int,
        _ mirror: Slug,
    ) throws(StoreFailure) -> DocumentName {
        try DocumentName.stages.appending("\(mirror).\(build).json")
    }
}
