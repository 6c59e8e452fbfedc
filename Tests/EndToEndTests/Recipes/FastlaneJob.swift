import Foundation
import TestSupport

/// Runs the lane of the `Fastfile` in Ruby; see `fastlane.rb`.
struct FastlaneJob {
    private let room: RecipeRoom

    init(in room: RecipeRoom) {
        self.room = room
    }

    /// On a machine of a developer, who has checked out what was pushed.
    func run(_ push: RecipeRoom.Push) async throws -> JobRun {
        let workspace = try room.workspace("project")
        let words =
            room.isShallow ? ["--depth", "1", "REMOTE", push.reference] : ["--tags", "REMOTE"]
        try await room.checkOut(push, fetching: words, in: workspace)
        try room.handOver(room.build, as: "build/App.ipa", in: workspace)
        let lanes = workspace.appending(path: "fastlane")
        try FileManager.default.createDirectory(at: lanes, withIntermediateDirectories: true)
        let variables = ["OTA_SERVER": room.base, "OTA_TOKEN": room.token]
        let outcome = try await room.run(
            [
                "ruby", RecipeRoom.runners.appending(path: "fastlane.rb").path(),
                RecipeSystem.fastlane.file.path(), "ios", "testers", "ipa:build/App.ipa",
            ],
            room.variables.merging(variables) { $1 },
            in: workspace,
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
}
