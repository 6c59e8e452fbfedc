import Administration
import ArgumentParser
import GitMirror

struct MirrorList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the repositories that are followed, with their latest builds.",
        discussion: """
            Example:
              ota mirror list --json
            """,
    )

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let mirrors = try await target.open(in: context).mirrors()
        try context.show(MirrorTable(document: mirrors), json: output.json)
    }
}

private struct MirrorTable: CommandResult {
    let document: MirrorsDocument

    func text(style: Style) -> String {
        var table = Table(["NAME", "LATEST", "OF", "WAITING", "LOOKED", "ADDRESS"])
        for mirror in document.mirrors {
            let looked = mirror.looked.map { RunDocument.moment($0) } ?? "never"
            table.add([
                Table.Cell(mirror.name, paint: style.strong),
                mirror.latest?.painted(style) ?? Table.Cell(""),
                Table.Cell(mirror.latest?.subject ?? ""),
                Table.Cell(String(mirror.waiting)),
                mirror.problem == nil
                    ? Table.Cell(looked) : Table.Cell("\(looked), failed", paint: style.bad),
                Table.Cell(mirror.address, paint: style.faint),
            ])
        }
        return table.isEmpty
            ? "No mirrors: ota mirror add NAME https://host/team/app.git" : table.text(style: style)
    }
}
