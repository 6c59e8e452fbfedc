import Bytes
import Essentials
import Identifiers
import Mirrors
import Runners
import Store

/// The end of a build's stage.
extension OTAStore {
    /// Withdraws the stage of a build from its runner, before the record says that the build has ended.
    func withdrawStage(of run: MirrorRun) throws {
        guard let stage = try stage(of: run.number, run.mirror, isCurrent: true),
            !stage.state.isOver
        else { return }
        try changeStage(of: run.number, run.mirror) { stage in
            if !stage.state.isOver { stage.state = .withdrawn }
        }
    }

    /// Withdraws the stage of a build, if there is one, and removes it with its files.
    ///
    /// It is withdrawn first, so that no runner changes it while it is removed.
    ///
    /// - Parameters:
    ///   - run: the build.
    ///   - isInputKept: whether the input files of the next stage are kept.
    ///   - folders: the folders with the files.
    /// - Throws: `StoreFailure`.
    func removeStage(
        ofEnded run: MirrorRun,
        leaving isInputKept: Bool = false,
        _ folders: MirrorFolders,
    ) throws {
        try withdrawStage(of: run)
        try removeStage(of: run.number, run.mirror)
        var paths: [String] = []
        for attempt in 1...(RunnerStage.mostAttempts * max(1, run.steps.count)) {
            paths.append(folders.stageLog(run.number, attempt: attempt, of: run.mirror))
            paths.append(folders.stageArchive(run.number, attempt: attempt, of: run.mirror))
        }
        if !isInputKept { paths.append(folders.stageInput(run.number, of: run.mirror)) }
        for path in paths { _ = unsafe unlink(path) }
    }

    /// Removes the stages of builds that are over, which remain if a process was killed in between.
    ///
    /// Only the process that holds the mirror's build lock may call this.
    func removeStages(leftIn mirror: Slug, _ folders: MirrorFolders) throws {
        for stage in try stages() where stage.mirror == mirror {
            guard let run = try run(stage.build, of: mirror) else {
                try removeStage(of: stage.build, mirror)
                continue
            }
            if run.state.isOver { try removeStage(ofEnded: run, folders) }
        }
        try removeFiles(leftIn: mirror, folders)
    }

    /// Removes files of stages that no longer exist, and logs of builds that are over.
    ///
    /// A request that was in progress when its stage ended may have written a file again, and a process may
    /// have been killed after it recorded the end of a build.
    private func removeFiles(leftIn mirror: Slug, _ folders: MirrorFolders) throws {
        let folder = URL(filePath: folders.log(0, of: mirror)).deletingLastPathComponent()
            .path(percentEncoded: false)
        let live = Set(try stages().filter { $0.mirror == mirror }.map { "\($0.build)" })
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names {
            let build = String(name.prefix { $0 != "." })
            let isLeft =
                if name.hasBytes(last: ".stage") || name.hasBytes(last: ".zip") {
                    !live.contains(build)
                } else if name.hasBytes(last: ".log"), let number = Int(build) {
                    // By then its log is a blob.
                    try run(number, of: mirror)?.state.isOver != false
                } else {
                    false
                }
            if isLeft { _ = unsafe unlink(folder + "/" + name) }
        }
    }
}
