import APIDocuments
import Administration
import ArgumentParser
import MirrorBuilds
import Mirrors
import Releases

struct MirrorList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the mirrors with their latest builds.",
        discussion: """
            Example:
              ota mirror list --json
            """,
    )

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let mirrors = try await target.open(in: context).perform(ListMirrors())
        try context.show(MirrorTable(document: mirrors), json: output.json)
    }
}

private struct MirrorTable: CommandResult {
    let document: MirrorsDocument

    func text(style: Style) -> String {
        var table = Table(["NAME", "LATEST", "OF", "QUEUED", "SYNCED", "ADDRESS"])
        for mirror in document.mirrors {
            let synced = mirror.synced.map { Wording.moment($0) } ?? "never"
            table.add([
                Table.Cell(mirror.name, paint: style.strong),
                mirror.latest?.painted(style) ?? Table.Cell(""),
                Table.Cell(mirror.latest?.subject ?? ""),
                Table.Cell(String(mirror.waiting)),
                mirror.problem == nil
                    ? Table.Cell(synced) : Table.Cell("\(synced), failed", paint: style.bad),
                Table.Cell(mirror.address, paint: style.faint),
            ])
        }
        guard !table.isEmpty else {
            return "No mirrors: ota mirror add NAME https://host/team/app.git"
        }
        return ([table.text(style: style)] + remarks(style)).joined(separator: "\n\n")
    }

    /// The syncs that failed and why, and the mirrors with tags that moved.
    private func remarks(_ style: Style) -> [String] {
        let lines = document.mirrors.flatMap { mirror in
            let name = mirror.name.printable
            let problem = mirror.problem.map {
                style.bad("The last sync of \(name) failed:") + " " + $0.printable
            }
            let moved = mirror.movedTags.map {
                style.warning("\(Wording.count($0.count, "tag")) of \(name) moved:")
                    + " `ota mirror show \(name)`"
            }
            return [problem, moved].compactMap(\.self)
        }
        return lines.isEmpty ? [] : [lines.joined(separator: "\n")]
    }
}
