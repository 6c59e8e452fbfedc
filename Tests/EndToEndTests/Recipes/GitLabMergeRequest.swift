import Foundation
import TestSupport
import Testing
import Yams

/// Runs the jobs of `merge-request.gitlab-ci.yml` as GitLab's runners do for merge request 12.
struct GitLabMergeRequest {
    private let room: RecipeRoom
    private let host: CommentHost
    private let file: Node

    init(in room: RecipeRoom, on host: CommentHost) throws {
        self.room = room
        self.host = host
        file = try GitHubJob.read("gitlab/merge-request.gitlab-ci.yml")
    }

    /// Runs the pipeline of a push.
    ///
    /// - Returns: the last job that ran; nil if no rule matches the push.
    func push(run: Int = 1, from source: String = "42") async throws -> JobRun? {
        let mac = try room.workspace("merge-request-mac")
        let archiving = try #require(file["archive-merge-request"])
        let archived = try await self.run(archiving, run, source, room.macVariables, in: mac)
        guard let archived, archived.hasPassed else { return archived }
        let path = try #require(archiving["artifacts"]?["paths"]?.sequence?.first?.string)
        var room = room
        try room.take(mac.appending(path: path))
        let workspace = try room.workspace("merge-request")
        try room.handOver(room.build, as: path, in: workspace)
        let job = try #require(file["publish-merge-request"])
        var done = try await self.run(job, run, source, variables, in: workspace)
        let dotenv = try #require(job["artifacts"]?["reports"]?["dotenv"]?.string)
        done?.outputs = try workspace.text(dotenv).assignments
        return done
    }

    /// Runs what GitLab runs when the request is merged or closed: the job that stops the environment.
    func close(from source: String = "42") async throws -> JobRun? {
        let environment = try #require(file["publish-merge-request"]?["environment"])
        let stop = try #require(environment["on_stop"]?.string)
        let job = try #require(file[stop])
        #expect(job["environment"]?["name"] == environment["name"])
        #expect(job["environment"]?["action"]?.string == "stop")
        return try await run(
            job,
            3,
            source,
            variables,
            in: try room.workspace("merge-request-end"),
        )
    }

    private var variables: [String: String] {
        room.variables.merging([
            "OTA_TOKEN": room.token, "OTA_NOTES_TOKEN": CommentHost.token,
            "OTA_APP": "com.vforsh.browsey",
        ]) { $1 }
    }

    private func run(
        _ job: Node,
        _ number: Int,
        _ source: String,
        _ variables: [String: String],
        in workspace: URL,
    ) async throws -> JobRun? {
        var variables = variables.merging([
            "CI": "true", "GITLAB_CI": "true", "CI_COMMIT_REF_NAME": "a-branch",
            "CI_DEFAULT_BRANCH": "main", "CI_SERVER_URL": "https://gitlab.example.com",
            "CI_PROJECT_URL": "https://gitlab.example.com/vforsh/browsey",
            "CI_JOB_URL": "https://gitlab.example.com/vforsh/browsey/-/jobs/4711",
            "CI_CONFIG_PATH": ".gitlab-ci.yml", "CI_PROJECT_ID": "42",
            "CI_API_V4_URL": host.url, "CI_PIPELINE_IID": "\(number)",
            "CI_MERGE_REQUEST_IID": "12", "CI_MERGE_REQUEST_SOURCE_PROJECT_ID": source,
        ]) { $1 }
        for (name, value) in try #require(job["variables"]?.mapping) {
            let text: String = try #require(value.string)
            variables[try #require(name.string)] = text
        }
        if variables["OTA_SERVER"] != nil { variables["OTA_SERVER"] = room.base }
        guard try runs(job, with: variables) else { return nil }
        if variables["GIT_STRATEGY"] != "none" {
            try #require(variables["GIT_DEPTH"] == "0")
            try await room.checkOut(
                .branch("main"),
                fetching: [
                    "REMOTE", "+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*",
                ],
                in: workspace,
            )
        }
        let script = try #require(job["script"]?.sequence).compactMap(\.string)
        let outcome = try await room.run(
            ["bash", "-eo", "pipefail", "-c", script.joined(separator: "\n")],
            variables,
            in: workspace,
        )
        return JobRun(status: outcome.status, log: outcome.output + outcome.errors)
    }

    /// Evaluates `$X` and `$X == $Y`, joined by `&&`.
    private func runs(_ job: Node, with variables: [String: String]) throws -> Bool {
        let rules = try #require(job["rules"]?.sequence).compactMap { $0["if"]?.string }
        try #require(!rules.isEmpty)
        return rules.contains { rule in
            rule.split(separator: " && ").allSatisfy { term in
                let values = term.split(separator: " == ")
                    .map { variables[String($0.trimmingPrefix("$"))] }
                return values[0] != nil && values.allSatisfy { $0 == values[0] }
            }
        }
    }
}
