import Foundation
import TestSupport

/// The CI systems that have a recipe.
enum RecipeSystem: String, CaseIterable, Sendable {
    case github, gitlab, jenkins, fastlane, bitrise

    /// Runs the recipe from its own file, as the system does after a push.
    func run(_ push: RecipeRoom.Push, in room: RecipeRoom) async throws -> JobRun {
        switch self {
        case .github: try await GitHubJob(in: room).run(push)
        case .gitlab: try await GitLabJob(in: room).run(push)
        case .jenkins: try await JenkinsJob(in: room).run(push)
        case .fastlane: try await FastlaneJob(in: room).run(push)
        case .bitrise: try await BitriseJob(in: room).run(push)
        }
    }

    /// The file that contains the recipe's lines.
    var file: URL {
        let path =
            switch self {
            case .github: "github/action.yml"
            case .gitlab: "gitlab/publish.gitlab-ci.yml"
            case .jenkins: "jenkins/Jenkinsfile"
            case .fastlane: "fastlane/Fastfile"
            case .bitrise: "bitrise/bitrise.yml"
            }
        return RecipeRoom.recipes.appending(path: path)
    }
}

/// The results of a run, as the system shows them.
struct JobRun {
    let status: Int32
    let log: String
    /// The target of the link next to the run.
    var link: String?
    /// The job's outputs (`NAME=value`), which later jobs can read.
    var outputs: [String: String] = [:]
    /// The Markdown on the page of the run, or kept with it.
    var summary = ""
    /// The JUnit report, if the system shows it.
    var report = ""

    var hasPassed: Bool { status == 0 }
}

extension URL {
    /// The text of a file in this folder; empty if it does not exist.
    func text(_ name: String) throws -> String {
        let file = appending(path: name)
        guard FileManager.default.fileExists(atPath: file.path()) else { return "" }
        return try String(contentsOf: file, encoding: .utf8)
    }
}

extension String {
    /// Variables from lines of the form `NAME=value`.
    var assignments: [String: String] {
        split(separator: "\n").reduce(into: [:]) { values, line in
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            values[String(parts[0])] = parts.count == 2 ? String(parts[1]) : ""
        }
    }
}
