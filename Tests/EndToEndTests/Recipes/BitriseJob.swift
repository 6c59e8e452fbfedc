import Foundation
import TestSupport
import Testing
import Yams

/// Runs the pipeline of `bitrise.yml` as Bitrise does: the workflow `publish`, after `archive` if the room
/// archives.
struct BitriseJob {
    private let room: RecipeRoom
    private let file: Node

    init(in room: RecipeRoom) throws {
        self.room = room
        file = try GitHubJob.read("bitrise/bitrise.yml")
    }

    func run(_ push: RecipeRoom.Push) async throws -> JobRun {
        let pipeline = try #require(file["pipelines"]?["testers"]?["workflows"])
        #expect(pipeline["publish"]?["depends_on"]?.sequence?.map(\.string) == ["archive"])
        #expect(try starts(with: push))
        let envman = room.folder.appending(path: "envman")
        try? FileManager.default.removeItem(at: envman)
        try Data().write(to: envman)
        var shared = ["OTA_IPA": "App.ipa"]
        var room = room
        if room.archives {
            let workspace = try room.workspace("bitrise-mac")
            let outcome = try await run("archive", push, room.macVariables, in: workspace, &shared)
            guard outcome.status == 0 else {
                return JobRun(status: outcome.status, log: outcome.output + outcome.errors)
            }
            try room.take(workspace.appending(path: try #require(shared["OTA_IPA"])))
        }
        let workspace = try room.workspace("bitrise")
        try room.handOver(room.build, as: "pulled/App.ipa", in: try room.workspace("intermediate"))
        shared["OTA_IPA"] = room.folder.appending(path: "intermediate/pulled/App.ipa").path()
        let own = ["OTA_SERVER": room.base, "OTA_TOKEN": room.token]
        let outcome = try await run(
            "publish",
            push,
            room.variables.merging(own) { $1 },
            in: workspace,
            &shared,
        )
        let told = try room.folder.text("envman").assignments
        return JobRun(
            status: outcome.status,
            log: outcome.output + outcome.errors,
            link: told["OTA_URL"],
            outputs: try workspace.text("ota.env").assignments,
            summary: try workspace.text("ota.md"),
            report: try workspace.text("ota.xml"),
        )
    }

    /// Whether a trigger matches the push.
    private func starts(with push: RecipeRoom.Push) throws -> Bool {
        try #require(file["trigger_map"]?.sequence).contains { trigger in
            switch push {
            case .tag(let name):
                trigger["type"]?.string == "tag"
                    && name.hasPrefix(trigger["name"]?.string?.trimmingSuffix("*") ?? " ")
            case .branch(let name):
                trigger["type"]?.string == "push" && trigger["push_branch"]?.string == name
            }
        }
    }

    /// Runs the steps of a workflow; `shared` are the files that workflows pass on, by their variables.
    private func run(
        _ name: String,
        _ push: RecipeRoom.Push,
        _ variables: [String: String],
        in workspace: URL,
        _ shared: inout [String: String],
    ) async throws -> Program.Outcome {
        let workflow = try #require(file["workflows"]?[name])
        let stack = try #require(workflow["meta"]?["bitrise.io"]?["stack"]?.string)
        #expect(stack.hasPrefix(name == "archive" ? "osx-xcode-" : "linux-"))
        var variables = variables.merging(predefined(push)) { $1 }
        let tools = try room.workspace("envman-bin")
        try tool(in: tools)
        variables["PATH"] = tools.path() + ":" + variables["PATH", default: ""]
        var last: Program.Outcome?
        for entry in try #require(workflow["steps"]?.sequence) {
            let (key, step) = try #require(entry.mapping?.first { _ in true })
            var inputs: [String: String] = [:]
            for input in step["inputs"]?.sequence ?? [] {
                let (name, value) = try #require(input.mapping?.first { _ in true })
                inputs[try #require(name.string)] = value.string
            }
            switch try #require(key.string).prefix(while: { $0 != "@" }) {
            case "git-clone":
                #expect(inputs["fetch_tags"] == "yes")
                try await checkOut(push, depth: inputs["clone_depth"] ?? "1", in: workspace)
            case "certificate-and-profile-installer": continue
            case "deploy-to-bitrise-io":
                let files = try #require(inputs["pipeline_intermediate_files"])
                let parts = files.split(separator: ":").map(String.init)
                shared[try #require(parts.last)] = parts.first
            case "pull-intermediate-files": variables.merge(shared) { $1 }
            case "script":
                let script = room.folder.appending(path: "bitrise.sh")
                let content = try #require(inputs["content"])
                #expect(content.hasPrefix("#!/bin/sh\n"))
                try Data(content.utf8).write(to: script)
                let outcome = try await room.run(
                    ["/bin/sh", script.path()],
                    variables,
                    in: workspace,
                )
                guard outcome.status == 0 else { return outcome }
                last = outcome
            default: throw CocoaError(.featureUnsupported)
            }
        }
        return try #require(last)
    }

    /// Writes a tool that appends to a file: `envman add --key NAME --value VALUE`.
    private func tool(in folder: URL) throws {
        let file = folder.appending(path: "envman")
        let record = room.folder.appending(path: "envman").path()
        let text = """
            #!/bin/sh
            test "$1 $2 $4" = "add --key --value" || exit 1
            echo "$3=$5" >> '\(record)'

            """
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755],
            ofItemAtPath: file.path(),
        )
    }

    private func predefined(_ push: RecipeRoom.Push) -> [String: String] {
        var variables = [
            "CI": "true", "BITRISE_IO": "true", "BITRISE_TRIGGERED_WORKFLOW_ID": "publish",
            "GIT_REPOSITORY_URL": "https://ci:secret@git.example.com/vforsh/browsey.git",
            "BITRISE_BUILD_URL": "https://app.bitrise.io/build/4711",
        ]
        switch push {
        case .tag(let name): variables["BITRISE_GIT_TAG"] = name
        case .branch(let name): variables["BITRISE_GIT_BRANCH"] = name
        }
        return variables
    }

    /// Checks out the push; depth -1 fetches everything.
    private func checkOut(_ push: RecipeRoom.Push, depth: String, in place: URL) async throws {
        let commit = try await room.commit(of: push)
        let words =
            depth == "-1" && !room.isShallow
            ? ["REMOTE", "+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"]
            : ["--no-tags", "--depth=1", "REMOTE", "+\(commit):\(push.reference)"]
        try await room.checkOut(push, fetching: words, in: place)
    }
}
