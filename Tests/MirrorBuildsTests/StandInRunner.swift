import Access
import Foundation
import Identifiers
import MirrorBuilds
import Mirrors
import Releases
import Runners
import Store
import TestSupport
import Testing

/// A runner without a machine: takes stages from a store as the server offers them, and delivers what a test
/// says.
struct StandInRunner: Sendable {
    let name: Slug
    let store: OTAStore
    let folders: MirrorFolders
    let date: Date

    init(_ name: String = "mini", in room: MirrorRoom) throws {
        guard let slug = Slug(name) else { throw MirrorRefusal.badName(name) }
        self.name = slug
        store = room.store
        folders = room.place.folders
        date = room.date
    }

    /// An attempt that the runner holds.
    struct Held: Sendable {
        let stage: RunnerStage
        let attempt: Int
    }

    /// Adds it to the register, as if it had registered with its code.
    func register(labels: [String] = ["mac"], for mirror: String = "app") throws {
        let labels = labels.compactMap { RunnerLabel($0) }
        let mirrors = [mirror].compactMap { Slug($0) }
        let machine = RunnerMachine(
            system: "macOS 26.1 (arm64)",
            python: "3.9.6",
            agent: "",
            xcodes: ["26.1 (17B55)"],
            freeBytes: 1 << 40,
        )
        try store.changeRunners { register in
            let code = try register.add(
                name,
                labels: labels,
                mirrors: mirrors,
                at: date,
                by: "ana",
                random: { (0..<$0).map { _ in UInt8.random(in: 0...255) } },
            )
            _ = try register.register(
                showing: code.text,
                as: name.rawValue,
                on: machine,
                at: date,
                random: { (0..<$0).map { _ in UInt8.random(in: 0...255) } },
            )
        }
    }

    /// Waits until a stage is offered, and takes it.
    func lease() async throws -> Held {
        while true {
            for stage in try store.stages() where stage.state == .offered {
                if let stage = try store.lease(stage.build, stage.mirror, to: name, at: date),
                    let attempt = stage.attempt
                {
                    let begun = try store.changeStage(of: stage.build, stage.mirror) {
                        $0.renew(at: date)
                    }
                    return Held(stage: begun, attempt: attempt)
                }
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Sends a part of its log.
    func print(_ text: String, in held: Held) throws {
        let path = folders.stageLog(
            held.stage.build,
            attempt: held.attempt,
            of: held.stage.mirror,
        )
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        let file = try #require(FileHandle(forWritingAtPath: path))
        defer { try? file.close() }
        try file.seekToEnd()
        try file.write(contentsOf: Data(text.utf8))
    }

    /// Reports the states of its steps.
    func report(_ reports: [RunnerStage.StepReport], in held: Held) throws {
        try store.changeStage(
            of: held.stage.build,
            held.stage.mirror,
            heldBy: name,
            as: held.attempt,
        ) { try $0.note(reports) }
    }

    /// Ends its attempt.
    ///
    /// - Parameters:
    ///   - held: the attempt.
    ///   - ending: the attempt's result.
    ///   - reason: why it failed.
    ///   - archive: ZIP archive with the files that it made.
    ///   - reports: states of the steps; by default all have succeeded.
    /// - Throws: ``RunnerRefusal`` if it no longer holds the attempt, and ``StoreFailure``.
    func finish(
        _ held: Held,
        _ ending: RunnerStage.Outcome.Ending = .succeeded,
        reason: String? = nil,
        archive: [UInt8] = [],
        reports: [RunnerStage.StepReport]? = nil,
    ) throws {
        let stage = held.stage
        if !archive.isEmpty {
            let path = folders.stageArchive(stage.build, attempt: held.attempt, of: stage.mirror)
            try Data(archive).write(to: URL(filePath: path))
        }
        let done = stage.steps.map { step in
            var report = RunnerStage.StepReport(index: step.index, state: .succeeded)
            report.exitCode = 0
            report.seconds = 3
            return report
        }
        try store.changeStage(of: stage.build, stage.mirror, heldBy: name, as: held.attempt) {
            try $0.finish(
                RunnerStage.Outcome(ending: ending, reason: reason, archiveBytes: archive.count),
                reports ?? done,
            )
        }
    }

    /// Lets the runner lose contact.
    func vanish(_ held: Held) throws {
        try store.changeStage(of: held.stage.build, held.stage.mirror) {
            $0.give(up: "runner \(name) was not heard from for 60 s")
        }
    }
}

extension MirrorRoom {
    /// Prepares a mirror whose only commit has a pipeline.
    func prepareMirror(
        _ pipeline: String,
        change: (inout Mirror) -> Void = { _ in },
    ) async throws {
        try await work.commit("Begin", [".ota/pipeline.yml": pipeline])
        try await push()
        try add(change: change)
        try await sync()
    }

    /// Prepares the same, with a queued build of the commit.
    @discardableResult
    func prepare(
        _ pipeline: String,
        change: (inout Mirror) -> Void = { _ in },
    ) async throws -> MirrorRun {
        try await prepareMirror(pipeline, change: change)
        return try await ask()
    }

    /// Queues a build of `main`.
    func ask() async throws -> MirrorRun {
        var build = ManualBuild()
        build.branch = "main"
        return try await build.queue(for: mirror(), in: place, by: "ana")
    }

    /// Builds what is queued while a runner works.
    ///
    /// - Returns: the last build that ended.
    func build(with work: @Sendable () async throws -> Void) async throws -> MirrorRun {
        async let built = build()
        try await work()
        return try #require(try await built.last)
    }

    /// The remaining stages and incomplete logs.
    var leftovers: [String] {
        get throws {
            let logs = folder.appending(path: "store/mirrors/app.logs").path()
            let names = (try? FileManager.default.contentsOfDirectory(atPath: logs)) ?? []
            // Read from the disk, without cached values.
            return try store.backend.names(in: DocumentName("stages")) + names
        }
    }
}
