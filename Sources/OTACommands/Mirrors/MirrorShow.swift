import APIDocuments
import Administration
import ArgumentParser
import MirrorBuilds
import Mirrors
import Releases
import Versions

struct MirrorShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a mirror and its builds, or one build.",
        discussion: """
            Example:
              ota mirror show browsey
              ota mirror show browsey --builds 100
              ota mirror show browsey 12 --json
            """,
    )

    @Argument(help: "The mirror.")
    var name: String

    @Argument(help: "The number of a build.")
    var build: Int?

    @Option(
        help: ArgumentHelp(
            "How many builds to show, the newest first: 1 to 200.",
            valueName: "number",
        )
    )
    var builds = 20

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...200).contains(builds) else {
            throw ValidationError("--builds must be from 1 to 200")
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let admin = try target.open(in: context)
        if let build {
            let run = try await admin.perform(ShowBuild(build, of: name))
            return try context.show(RunResult([run]), json: output.json)
        }
        let shown = try await admin.perform(ShowMirror(name))
        let listed = try await admin.perform(ListBuilds(of: name, limit: builds))
        try context.show(
            MirrorDetails(
                document: MirrorDetailDocument(mirror: shown.mirror, builds: listed.builds)
            ),
            json: output.json,
        )
    }
}

private struct MirrorDetails: CommandResult {
    let document: MirrorDetailDocument

    func text(style: Style) -> String {
        let mirror = document.mirror
        var parts = [mirror.sentences(style)]
        if let problem = mirror.problem {
            parts.append(style.bad("The last sync failed:") + " " + problem.printable)
        }
        let tags = moved(style) + gone(style)
        if !tags.isEmpty { parts.append(tags.joined(separator: "\n")) }
        var table = Table(["BUILD", "STATE", "OF", "VERSION", "QUEUED", "SECONDS", "REASON"])
        for run in document.builds {
            table.add([
                Table.Cell(String(run.number)), run.painted(style),
                Table.Cell(run.subject, paint: style.strong),
                Table.Cell(run.version ?? ""), Table.Cell(Wording.moment(run.queued)),
                Table.Cell(run.seconds.map(String.init) ?? ""),
                Table.Cell(run.reason ?? "", paint: style.faint),
            ])
        }
        parts.append(table.isEmpty ? "No builds yet." : table.text(style: style))
        return parts.joined(separator: "\n\n")
    }

    private func moved(_ style: Style) -> [String] {
        (document.mirror.movedTags ?? []).map { tag in
            let name = tag.tag.printable
            return style.warning("The tag \(name) has moved")
                + " from \(Self.short(tag.from)) to \(Self.short(tag.to)), so it is not built: "
                + "tag a later version, or build it again and replace its release with `ota "
                + "mirror build \(document.mirror.name.printable) --tag \(name) --rebuild`."
        }
    }

    /// The tags that the last sync no longer found; the activity log lists all of them.
    private func gone(_ style: Style) -> [String] {
        let changes = document.mirror.report?.changes ?? []
        return changes.filter { $0.isTag && $0.kind == .deleted }.map {
            style.warning("The tag \($0.name.printable) was deleted")
                + "; it pointed to \(Self.short($0.from ?? "no commit"))."
        }
    }

    private static func short(_ commit: String) -> String { commit.shortCommit.printable }
}
