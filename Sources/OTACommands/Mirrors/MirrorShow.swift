import ArgumentParser
import GitMirror
import Releases
import Store

struct MirrorShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a mirror and its builds, or one build.",
        discussion: """
            Example:
              ota mirror show browsey
              ota mirror show browsey 12 --json
            """,
    )

    @Argument(help: "The mirror.")
    var name: String

    @Argument(help: "The number of a build.")
    var build: Int?

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        let mirror = try store.mirror(named: name)
        if let build {
            guard let run = try store.run(build, of: mirror.name) else {
                throw MirrorRefusal.noRun(build)
            }
            return try context.show(RunResult(runs: [run]), json: output.json)
        }
        let state = try MirrorState(mirror, in: store)
        try context.show(MirrorDetails(state: state), json: output.json)
    }
}

private struct MirrorDetails: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let mirror: MirrorDocument
        let builds: [RunDocument]
    }

    let state: MirrorState

    var document: Document {
        Document(mirror: state.document, builds: state.runs.map(RunDocument.init))
    }

    func text(style: Style) -> String {
        var parts = [MirrorResult(state).text(style: style)]
        if let problem = state.following.problem {
            parts.append(style.bad("The last look failed:") + " " + problem.printable)
        }
        var table = Table(["BUILD", "STATE", "OF", "VERSION", "ASKED", "SECONDS", "REASON"])
        for run in state.runs {
            table.add([
                Table.Cell(String(run.number)), run.painted(style),
                Table.Cell(run.subject, paint: style.strong),
                Table.Cell(run.version ?? ""), Table.Cell(MirrorRun.moment(run.queued)),
                Table.Cell(run.seconds.map(String.init) ?? ""),
                Table.Cell(run.reason ?? "", paint: style.faint),
            ])
        }
        parts.append(table.isEmpty ? "Nothing was built yet." : table.text(style: style))
        return parts.joined(separator: "\n\n")
    }
}

/// Builds, with their steps and what they made.
struct RunResult: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let builds: [RunDocument]
    }

    let runs: [MirrorRun]

    var document: Document { Document(builds: runs.map(RunDocument.init)) }

    func text(style: Style) -> String {
        runs.map { run in
            var lines = [run.sentence(style)]
            for step in run.steps {
                let time = step.seconds.map { ", \($0) s" } ?? ""
                let reason = step.reason.map { ": \($0.printable)" } ?? ""
                lines.append("  \(step.name.printable): \(step.state.rawValue)\(time)\(reason)")
            }
            for artifact in run.artifacts {
                let detail =
                    artifact.release.map { " \(artifact.app ?? "") \($0)" }
                    ?? artifact.detail.map { ": \($0.printable)" } ?? ""
                let outcome =
                    artifact.outcome == .notInstallable
                    ? "kept, not installable" : artifact.outcome.rawValue
                lines.append("  \(artifact.path.printable): \(outcome)\(detail)")
            }
            return lines.joined(separator: "\n")
        }
        .joined(separator: "\n\n")
    }
}
