package import Identifiers
package import Store

/// The documents of stages.
extension OTAStore {
    /// The stages that there are, whatever their state.
    package func stages() throws -> [RunnerStage] {
        try names(in: DocumentName("stages")).compactMap { name in
            guard name.hasSuffix(".json") else { return nil }
            return try value(RunnerStage.self, DocumentName("stages", name))
        }
    }

    package func stage(of build: Int, _ mirror: Slug) throws(StoreFailure) -> RunnerStage? {
        try value(RunnerStage.self, .stage(of: build, mirror))
    }

    /// Offers a stage, in the place of an earlier one of the same build.
    package func offer(_ stage: RunnerStage) throws {
        try removeStage(of: stage.build, stage.mirror)
        let name = try DocumentName.stage(of: stage.build, stage.mirror)
        guard try write(stage, to: name, if: .absent) else { throw StoreFailure.conflict(name) }
    }

    /// Changes a stage.
    ///
    /// - Throws: what `change` throws, and ``StoreFailure``, also where there is no such stage.
    @discardableResult
    package func changeStage(
        of build: Int,
        _ mirror: Slug,
        _ change: (inout RunnerStage) throws -> Void,
    ) throws -> RunnerStage {
        try self.change(.stage(of: build, mirror), else: nil, change).value
    }

    /// Forgets a stage, if there is one.
    package func removeStage(of build: Int, _ mirror: Slug) throws(StoreFailure) {
        let name = try DocumentName.stage(of: build, mirror)
        guard let document = try backend.read(name) else { return }
        try backend.delete(name, at: document.version)
        try backend.forgetPrevious(of: name)
    }
}

extension DocumentName {
    /// No mirror's name has a full stop.
    fileprivate static func stage(
        of build: Int,
        _ mirror: Slug,
    ) throws(StoreFailure) -> DocumentName {
        try DocumentName("stages", "\(mirror).\(build).json")
    }
}
