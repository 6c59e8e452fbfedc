import Foundation
import TestSupport
import Testing
import Yams

/// Runs the jobs of `publish.gitlab-ci.yml` as GitLab's runners do: `publish`, after `archive` if the room
/// archives.
struct GitLabJob {
    private let room: RecipeRoom
    private let job, archiving: Node

    init(in room: RecipeRoom) throws {
        self.room = room
        let file = try GitHubJob.read("gitlab/publish.gitlab-ci.yml")
        job = try #require(file["publish"])
        archiving = try #require(file["archive"])
    }

    func run(_ push: RecipeRoom.Push) async throws -> JobRun {
        var room = room
        if room.archives {
            let workspace = try room.workspace("gitlab-mac")
            let outcome = try await run(archiving, push, room.macVariables, in: workspace)
            guard outcome.status == 0 else {
                return JobRun(status: outcome.status, log: outcome.output + outcome.errors)
            }
            let path = try #require(archiving["artifacts"]?["paths"]?.sequence?.first?.string)
            try room.take(workspace.appending(path: path))
        }
        let workspace = try room.workspace("gitlab")
        let variables = room.variables.merging(["OTA_TOKEN": room.token]) { $1 }
        let ipa = try #require(job["variables"]?["OTA_IPA"]?.string)
        try room.handOver(room.build, as: ipa, in: workspace)
        let outcome = try await run(job, push, variables, in: workspace)
        let reports = try #require(job["artifacts"]?["reports"])
        let told = try workspace.text(#require(reports["dotenv"]?.string)).assignments
        let names = told.keys.filter { $0.wholeMatch(of: /[A-Z0-9_]+/) == nil }
        #expect(names.isEmpty, "GitLab takes no such names")
        let url = try #require(job["environment"]?["url"]?.string)
        let kept = try #require(job["artifacts"]?["paths"]?.sequence?.first?.string)
        return JobRun(
            status: outcome.status,
            log: outcome.output + outcome.errors,
            link: told[String(url.trimmingPrefix("$"))],
            outputs: told,
            summary: try workspace.text(kept),
            report: try workspace.text(#require(reports["junit"]?.string)),
        )
    }

    /// Runs the script of a job in a new checkout.
    private func run(
        _ job: Node,
        _ push: RecipeRoom.Push,
        _ variables: [String: String],
        in workspace: URL,
    ) async throws -> Program.Outcome {
        var variables = variables.merging(predefined(push)) { $1 }
        for (name, value) in try #require(job["variables"]?.mapping) {
            let text: String = try #require(value.string)
            variables[try #require(name.string)] = text
        }
        if variables["OTA_SERVER"] != nil { variables["OTA_SERVER"] = room.base }
        try #require(try runs(job, with: variables), "no rule takes the push")
        try await checkOut(push, depth: variables["GIT_DEPTH"] ?? "20", in: workspace)
        let script = try #require(job["script"]?.sequence).compactMap(\.string)
        return try await room.run(
            ["bash", "-eo", "pipefail", "-c", script.joined(separator: "\n")],
            variables,
            in: workspace,
        )
    }

    private func predefined(_ push: RecipeRoom.Push) -> [String: String] {
        var variables = [
            "CI": "true", "GITLAB_CI": "true", "CI_COMMIT_REF_NAME": push.name,
            "CI_DEFAULT_BRANCH": "main", "CI_SERVER_URL": "https://gitlab.example.com",
            "CI_PROJECT_URL": "https://gitlab.example.com/vforsh/browsey",
            "CI_JOB_URL": "https://gitlab.example.com/vforsh/browsey/-/jobs/4711",
            "CI_CONFIG_PATH": ".gitlab-ci.yml",
        ]
        switch push {
        case .tag(let name): variables["CI_COMMIT_TAG"] = name
        case .branch(let name): variables["CI_COMMIT_BRANCH"] = name
        }
        return variables
    }

    /// Evaluates `if: $X` and `if: $X == $Y`.
    private func runs(_ job: Node, with variables: [String: String]) throws -> Bool {
        let rules = try #require(job["rules"]?.sequence).compactMap { $0["if"]?.string }
        return try rules.contains { rule in
            let names = rule.split(separator: " == ").map { $0.trimmingPrefix("$") }
            let values = names.map { variables[String($0)] }
            try #require((1...2).contains(values.count))
            return values[0] != nil && values.allSatisfy { $0 == values[0] }
        }
    }

    /// Depth 0 fetches everything, another depth the last commits of what was pushed.
    private func checkOut(_ push: RecipeRoom.Push, depth: String, in place: URL) async throws {
        let isWhole = depth == "0" && !room.isShallow
        let commit = try await room.commit(of: push)
        let words =
            isWhole
            ? ["REMOTE", "+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"]
            : ["--no-tags", "--depth", "20", "REMOTE", "+\(commit):\(push.reference)"]
        try await room.checkOut(push, fetching: words, in: place)
    }
}
