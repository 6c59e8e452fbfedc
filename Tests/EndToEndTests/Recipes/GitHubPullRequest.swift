import Foundation
import TestSupport
import Testing
import Yams

/// Runs the jobs of `pull-request.yml` as GitHub's runners do for an event of pull request 12.
struct GitHubPullRequest {
    private let room: RecipeRoom
    private let host: CommentHost
    private let workflow: Node

    init(in room: RecipeRoom, on host: CommentHost) throws {
        self.room = room
        self.host = host
        workflow = try GitHubJob.read("github/pull-request.yml")
    }

    /// - Parameters:
    ///   - action: the event's action, such as `opened`.
    ///   - run: how many times the workflow has run.
    ///   - source: the repository of the branch.
    /// - Returns: the last job that ran; nil if none matches the event.
    /// - Throws: an error if a step lacks something that it needs.
    func run(
        _ action: String,
        run: Int = 1,
        from source: String = "vforsh/browsey",
    ) async throws -> JobRun? {
        let types = workflow["on"]?["pull_request"]?["types"]?.sequence?.compactMap(\.string)
        try #require(types?.contains(action) == true)
        var context = GitHubContext()
        context["github.event.action"] = action
        context["github.event.pull_request.number"] = "12"
        context["github.event.pull_request.head.repo.full_name"] = source
        context["github.event.pull_request.head.sha"] = try await room.commit(of: .branch("main"))
        context["github.repository"] = "vforsh/browsey"
        context["github.token"] = CommentHost.token
        context["vars.OTA_SERVER"] = room.base
        context["vars.OTA_APP"] = "com.vforsh.browsey"
        context["secrets.OTA_TOKEN"] = room.token
        var last: JobRun?
        var artifact: URL?
        for name in ["build", "publish", "end"] {
            let job = try #require(workflow["jobs"]?[name])
            guard try context.isTrue(#require(job["if"]?.string ?? workflow.needed(by: job)))
            else { continue }
            let done = try await steps(of: job, named: name, context, run, &artifact)
            last = done
            guard done.hasPassed else { break }
        }
        return last
    }

    private func steps(
        of job: Node,
        named name: String,
        _ context: GitHubContext,
        _ number: Int,
        _ artifact: inout URL?,
    ) async throws -> JobRun {
        let workspace = try room.workspace("pull-request/" + name)
        var environment = try environment(number, onMac: name == "build")
        environment.merge(try context.expanded(workflow["env"])) { $1 }
        var log = ""
        for step in try #require(job["steps"]?.sequence) {
            let with = try context.expanded(step["with"])
            switch step["uses"]?.string?.prefix(while: { $0 != "@" }) {
            case nil:
                let script = try #require(step["run"]?.string)
                #expect(!script.contains("${{"), "an expression in a script is code of a stranger")
                let file = room.folder.appending(path: "pull-request/step.sh")
                try Data(script.utf8).write(to: file)
                let outcome = try await room.run(
                    ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", file.path()],
                    environment.merging(try context.expanded(step["env"])) { $1 },
                    in: workspace,
                )
                log += outcome.output + outcome.errors
                guard outcome.status == 0 else { return JobRun(status: outcome.status, log: log) }
            case "actions/checkout":
                #expect(with["ref"] == context["github.event.pull_request.head.sha"])
                #expect(with["fetch-depth"] == "0" && with["persist-credentials"] == "false")
                try await room.checkOut(
                    .branch("main"),
                    fetching: [
                        "REMOTE", "+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*",
                    ],
                    in: workspace,
                )
            case "actions/upload-artifact":
                artifact = workspace.appending(path: try #require(with["path"]))
            case "actions/download-artifact":
                var room = room
                try room.take(#require(artifact))
                try room.handOver(
                    room.build,
                    as: #require(with["path"]) + "/App.ipa",
                    in: workspace,
                )
            default: throw CocoaError(.featureUnsupported)
            }
        }
        return JobRun(status: 0, log: log)
    }

    private func environment(_ number: Int, onMac: Bool) throws -> [String: String] {
        let files = try room.workspace("pull-request")
        var variables = onMac ? room.macVariables : room.variables
        for (name, file) in ["GITHUB_STEP_SUMMARY": "summary", "GITHUB_PATH": "path"] {
            let place = files.appending(path: file)
            try Data().write(to: place)
            variables[name] = place.path()
        }
        return variables.merging([
            "CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_REF": "refs/pull/12/merge",
            "GITHUB_REF_NAME": "12/merge", "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_API_URL": host.url, "GITHUB_REPOSITORY": "vforsh/browsey",
            "GITHUB_RUN_ID": "4711", "GITHUB_RUN_NUMBER": "\(number)",
            "GITHUB_WORKFLOW_REF":
                "vforsh/browsey/.github/workflows/pull-request.yml@refs/pull/12/merge",
            "RUNNER_TEMP": try room.workspace("pull-request/temp").path(),
        ]) { $1 }
    }
}

extension Node {
    /// The condition of the job that another one needs: if a job is skipped, so are those that need it.
    fileprivate func needed(by job: Node) -> String? {
        job["needs"]?.string.flatMap { self["jobs"]?[$0]?["if"]?.string }
    }
}
