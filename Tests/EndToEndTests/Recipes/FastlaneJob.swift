import Foundation
import TestSupport

/// Runs the lanes of the `Fastfile` in Ruby (see `fastlane.rb`): `testers`, after `archive` if the room
/// archives.
struct FastlaneJob {
    private let room: RecipeRoom

    init(in room: RecipeRoom) {
        self.room = room
    }

    /// Runs on the machine of a developer who has checked out what was pushed.
    func run(_ push: RecipeRoom.Push) async throws -> JobRun {
        var room = room
        if room.archives {
            let workspace = try await checkOut(push, in: "project-mac")
            let outcome = try await run("archive", room.macVariables, in: workspace)
            guard outcome.status == 0 else {
                return JobRun(status: outcome.status, log: outcome.output + outcome.errors)
            }
            try room.take(workspace.appending(path: "build/App.ipa"))
        }
        let workspace = try await checkOut(push, in: "project")
        try room.handOver(room.build, as: "build/App.ipa", in: workspace)
        let variables = ["OTA_SERVER": room.base, "OTA_TOKEN": room.token]
        let outcome = try await run(
            "testers",
            room.variables.merging(variables) { $1 },
            in: workspace,
            "ipa:build/App.ipa",
        )
        let log = outcome.output + outcome.errors
        return JobRun(
            status: outcome.status,
            log: log,
            link: log.firstMatch(of: /install it from (https:\S+)/).map { String($0.1) },
            outputs: try workspace.text("ota.env").assignments,
            summary: try workspace.text("ota.md"),
            report: try workspace.text("ota.xml"),
        )
    }
    private func run(
        _ lane: String,
        _ variables: [String: String],
        in workspace: URL,
        _ options: String...,
    ) async throws -> Program.Outcome {
        let words = [
            "ruby", RecipeRoom.runners.appending(path: "fastlane.rb").path(),
            RecipeSystem.fastlane.file.path(), "ios", lane,
        ]
        return try await room.run(words + options, variables, in: workspace)
    }

    private func checkOut(_ push: RecipeRoom.Push, in name: String) async throws -> URL {
        let workspace = try room.workspace(name)
        let words =
            room.isShallow ? ["--depth", "1", "REMOTE", push.reference] : ["--tags", "REMOTE"]
        try await room.checkOut(push, fetching: words, in: workspace)
        let lanes = workspace.appending(path: "fastlane")
        try FileManager.default.createDirectory(at: lanes, withIntermediateDirectories: true)
        return workspace
    }
}
