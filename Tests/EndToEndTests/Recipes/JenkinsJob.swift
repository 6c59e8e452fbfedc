import Foundation
import TestSupport
import Testing

/// Runs the `Jenkinsfile` in Groovy; see `jenkins.groovy`.
struct JenkinsJob {
    private struct Report: Decodable {
        let stages, junit, artifacts: [String]
        let description: String?
    }

    private let room: RecipeRoom

    init(in room: RecipeRoom) {
        self.room = room
    }

    func run(_ push: RecipeRoom.Push) async throws -> JobRun {
        let workspace = try room.workspace("jenkins")
        let secrets = try room.workspace("credentials")
        try Data(room.token.utf8).write(to: secrets.appending(path: "ota-token"))
        try room.handOver(room.build, as: "ipa", in: try room.workspace("stash"))
        let report = room.folder.appending(path: "jenkins.json")
        var variables = room.variables.merging([
            "JENKINS_URL": "https://jenkins.example.com/", "JOB_NAME": "browsey/\(push.name)",
            "GIT_URL": "https://ci:secret@git.example.com/vforsh/browsey.git",
            "BUILD_URL": "https://jenkins.example.com/job/browsey/4711/",
            "BRANCH_NAME": push.name, "JENKINS_CREDENTIALS_FOLDER": secrets.path(),
            "JENKINS_STASH": room.folder.appending(path: "stash").path(),
        ]) { $1 }
        if case .tag(let name) = push { variables["TAG_NAME"] = name }
        if room.archives { variables["JENKINS_MAC_PATH"] = room.macVariables["PATH"] }
        let outcome = try await room.run(
            [
                "groovy", RecipeRoom.runners.appending(path: "jenkins.groovy").path(),
                try recipe().path(), workspace.path(), room.remote, report.path(),
            ],
            variables,
            in: room.folder,
        )
        let log = outcome.output + outcome.errors
        let told = try JSONDecoder().decode(
            Report.self,
            from: #require(FileManager.default.contents(atPath: report.path()), "\(log)"),
        )
        let stages = room.archives ? ["Archive", "Publish"] : ["Publish"]
        #expect(stages.starts(with: told.stages) && !told.stages.isEmpty)
        return JobRun(
            status: outcome.status,
            log: log,
            link: told.description,
            outputs: try workspace.text("ota.env").assignments,
            summary: try told.artifacts.map(workspace.text).joined(),
            report: try told.junit.map(workspace.text).joined(),
        )
    }

    /// The file with this server's URL inserted, without its cloning option.
    private func recipe() throws -> URL {
        var text = try String(contentsOf: RecipeSystem.jenkins.file, encoding: .utf8)
        try #require(text.contains("https://ota.example.com"))
        text = text.replacing("https://ota.example.com", with: room.base)
        if room.isShallow {
            try #require(text.contains("shallow: false"))
            text = text.replacing("shallow: false", with: "shallow: true")
        }
        let file = room.folder.appending(path: "Jenkinsfile")
        try Data(text.utf8).write(to: file)
        return file
    }
}
