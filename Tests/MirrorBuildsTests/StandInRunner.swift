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

/// A runner without a machine: takes stages from a store as the server gives them, and hands in what a test
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

    /// An attempt that it holds.
    struct Held: Sendable {
        let stage: RunnerStage
        let attempt: Int
    }

    /// Adds it to the register, as one that has shown its code.
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

    /// Says how its steps go.
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
    ///   - ending: how it went.
    ///   - reason: why it failed.
    ///   - archive: the ZIP archive with what it made.
    ///   - reports: of the steps; by default all have succeeded.
    /// - Throws: ``RunnerRefusal`` once it does not hold the attempt any more, and ``StoreFailure``.
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

    /// Is not heard from any more.
    func vanish(_ held: Held) throws {
        try store.changeStage(of: held.stage.build, held.stage.mirror) {
            $0.give(up: "runner \(name) was not heard from for 60 s")
        }
    }
}

extension MirrorRoom {
    /// A mirror whose only commit has a pipeline.
    func prepareMirror(
        _ pipeline: String,
        change: (inout Mirror) -> Void = { _ in },
    ) async throws {
        try await work.commit("Begin", [".ota/pipeline.yml": pipeline])
        try await push()
        try add(change: change)
        try await sync()
    }

    /// The same, with a build of its commit that waits.
    @discardableResult
    func prepare(
        _ pipeline: String,
        change: (inout Mirror) -> Void = { _ in },
    ) async throws -> MirrorRun {
        try await prepareMirror(pipeline, change: change)
        return try await ask()
    }

    /// Asks for a build of `main`.
    func ask() async throws -> MirrorRun {
        var build = ManualBuild()
        build.branch = "main"
        return try await build.queue(for: mirror(), in: place, by: "ana")
    }

    /// Builds what waits while a runner works.
    ///
    /// - Returns: the last build that ended.
    func build(with work: @Sendable () async throws -> Void) async throws -> MirrorRun {
        async let built = build()
        try await work()
        return try #require(try await built.last)
    }

    /// What is there of stages and of logs that grow.
    var leftovers: [String] {
        get throws {
            let logs = folder.appending(path: "store/mirrors/app.logs").path()
            let names = (try? FileManager.default.contentsOfDirectory(atPath: logs)) ?? []
            // Of the disk, where nothing is that was read a moment ago.
            return try store.backend.names(in: DocumentName("stages")) + names
        }
    }
}
