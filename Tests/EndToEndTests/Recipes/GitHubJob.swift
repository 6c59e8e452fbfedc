import Foundation
import TestSupport
import Testing
import Yams

/// Runs the jobs of `workflow.yml`, and `action.yml`, as GitHub's runners do: `publish`, after `build` if the
/// room archives.
struct GitHubJob {
    private let room: RecipeRoom
    private let workflow: Node
    private let action: Node
    /// Inputs that the workflow leaves to the repository.
    var inputs: [String: String] = [:]

    init(in room: RecipeRoom) throws {
        self.room = room
        workflow = try Self.read("github/workflow.yml")
        action = try Self.read("github/action.yml")
        if room.trustsServer { inputs["ca-file"] = room.variables["OTA_CA_FILE"] }
    }

    static func read(_ path: String) throws -> Node {
        let text = try String(
            contentsOf: RecipeRoom.recipes.appending(path: path),
            encoding: .utf8,
        )
        return try #require(try Yams.compose(yaml: text))
    }

    func run(_ push: RecipeRoom.Push) async throws -> JobRun {
        var room = room
        if room.archives {
            let (outcome, file) = try await archive(push)
            guard let file else {
                return JobRun(status: outcome.status, log: outcome.output + outcome.errors)
            }
            try room.take(file)
        }
        let workspace = try room.workspace("github/work")
        var context = GitHubContext()
        context["vars.OTA_SERVER"] = room.base
        context["vars.OTA_DOWNLOAD"] = inputs["ota-url"] ?? ""
        context["vars.OTA_DOWNLOAD_SHA256"] = inputs["ota-sha256"] ?? ""
        context["secrets.OTA_TOKEN"] = room.token
        context["inputs.tag"] = ""
        let job = try #require(workflow["jobs"]?["publish"])
        let environment = try environment(push, room.variables)
        for step in try #require(job["steps"]?.sequence) {
            let with = try context.expanded(step["with"])
            let uses = try #require(step["uses"]?.string)
            switch uses.prefix(while: { $0 != "@" }) {
            case "actions/checkout":
                try await checkOut(push, depth: with["fetch-depth"] ?? "1", in: workspace)
            case "actions/download-artifact":
                let path = try #require(with["path"])
                try room.handOver(room.build, as: path + "/App.ipa", in: workspace)
            default:
                try #require(uses == "./.github/actions/ota-publish")
                let given = with.merging(inputs) { _, own in own }
                let (outcome, outputs) = try await act(given, environment, in: workspace)
                let id = try #require(step["id"]?.string)
                for (name, value) in outputs { context["steps.\(id).outputs.\(name)"] = value }
                let files = room.folder.appending(path: "github")
                let link = try context.expanded(#require(job["environment"]?["url"]?.string))
                return JobRun(
                    status: outcome.status,
                    log: outcome.output + outcome.errors,
                    link: link.isEmpty ? nil : link,
                    outputs: outputs,
                    summary: try files.text("summary"),
                )
            }
        }
        throw CocoaError(.featureUnsupported)
    }

    /// Runs the job `build`, on a Mac.
    ///
    /// - Returns: the outcome of its last script, and the file that it uploads.
    private func archive(_ push: RecipeRoom.Push) async throws -> (Program.Outcome, URL?) {
        let job = try #require(workflow["jobs"]?["build"])
        #expect(job["runs-on"]?.string?.hasPrefix("macos-") == true)
        let workspace = try room.workspace("github/mac")
        let environment = try environment(push, room.macVariables)
        var context = GitHubContext()
        context["inputs.tag"] = ""
        var last: Program.Outcome?
        for step in try #require(job["steps"]?.sequence) {
            let with = try context.expanded(step["with"])
            switch step["uses"]?.string?.prefix(while: { $0 != "@" }) {
            case nil:
                let outcome = try await run(
                    #require(step["run"]?.string),
                    environment.merging(try context.expanded(step["env"])) { $1 },
                    in: workspace,
                )
                guard outcome.status == 0 else { return (outcome, nil) }
                last = outcome
            case "actions/checkout":
                try await checkOut(push, depth: with["fetch-depth"] ?? "1", in: workspace)
            case "actions/upload-artifact":
                let path = try #require(with["path"])
                return (try #require(last), workspace.appending(path: path))
            default: throw CocoaError(.featureUnsupported)
            }
        }
        throw CocoaError(.featureUnsupported)
    }

    /// Runs the steps of the action, with the inputs from a workflow.
    private func act(
        _ given: [String: String],
        _ environment: [String: String],
        in workspace: URL,
    ) async throws -> (Program.Outcome, [String: String]) {
        let declared = try #require(action["inputs"]?.mapping)
        let names = Set(declared.keys.compactMap(\.string))
        #expect(Set(given.keys).isSubset(of: names), "the workflow gives unknown inputs")
        var context = GitHubContext()
        for (name, input) in declared {
            let key: String = try #require(name.string)
            let value: String = try #require(given[key] ?? input["default"]?.string)
            context["inputs.\(key)"] = value
        }
        var environment = environment
        var last: Program.Outcome?
        for step in try #require(action["runs"]?["steps"]?.sequence) {
            if let condition = step["if"]?.string, !(try context.isTrue(condition)) { continue }
            try #require(step["shell"]?.string == "bash")
            let outcome = try await run(
                #require(step["run"]?.string),
                environment.merging(try context.expanded(step["env"])) { $1 },
                in: workspace.appending(
                    path: try context.expanded(step["working-directory"]?.string ?? ".")
                ),
            )
            last = outcome
            let files = room.folder.appending(path: "github")
            if let id = step["id"]?.string {
                for (name, value) in try files.text("output").assignments {
                    context["steps.\(id).outputs.\(name)"] = value
                }
            }
            let added = try files.text("path").split(separator: "\n").reversed()
            environment["PATH"] = (added + [environment["PATH", default: ""][...]])
                .joined(separator: ":")
            if outcome.status != 0 { break }
        }
        let outputs = try context.expanded(action["outputs"], each: "value")
        return (try #require(last), outputs)
    }

    /// Runs a script from a file in `bash`, with the options of a runner.
    private func run(
        _ script: String,
        _ variables: [String: String],
        in place: URL,
    ) async throws -> Program.Outcome {
        #expect(!script.contains("${{"), "an expression in a script is code of a stranger")
        let file = room.folder.appending(path: "github/step.sh")
        try Data(script.utf8).write(to: file)
        return try await room.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", file.path()],
            variables,
            in: place,
        )
    }

    /// The files of a job are new; its workspace may be reused.
    private func environment(
        _ push: RecipeRoom.Push,
        _ variables: [String: String],
    ) throws -> [String: String] {
        let files = try room.workspace("github")
        var variables = variables
        variables["OTA_CA_FILE"] = nil
        for (name, file) in [
            "GITHUB_OUTPUT": "output", "GITHUB_STEP_SUMMARY": "summary", "GITHUB_PATH": "path",
        ] {
            let place = files.appending(path: file)
            try Data().write(to: place)
            variables[name] = place.path()
        }
        return variables.merging([
            "CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_REF": push.reference,
            "GITHUB_REF_NAME": push.name, "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_REPOSITORY": "vforsh/browsey", "GITHUB_RUN_ID": "4711",
            "GITHUB_WORKFLOW_REF":
                "vforsh/browsey/.github/workflows/publish.yml@\(push.reference)",
            "RUNNER_TEMP": try room.workspace("github/temp").path(),
        ]) { $1 }
    }

    /// Fetches as actions/checkout does: everything for depth 0, otherwise one commit and no tags.
    private func checkOut(_ push: RecipeRoom.Push, depth: String, in place: URL) async throws {
        let commit = try await room.commit(of: push)
        let words =
            depth == "0" && !room.isShallow
            ? ["REMOTE", "+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"]
            : ["--no-tags", "--depth=1", "REMOTE", "+\(commit):\(push.reference)"]
        try await room.checkOut(push, fetching: words, in: place)
    }
}
