import ArgumentParser
import GitMirror
import Releases
import Store

struct MirrorList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the repositories that are followed, with their latest builds.",
        discussion: """
            Example:
              ota mirror list --json
            """,
    )

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        let states = try store.mirrors().mirrors.map { try MirrorState($0, in: store) }
        try context.show(MirrorTable(states: states), json: output.json)
    }
}

private struct MirrorTable: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let mirrors: [MirrorDocument]
    }

    let states: [MirrorState]

    var document: Document { Document(mirrors: states.map(\.document)) }

    func text(style: Style) -> String {
        var table = Table(["NAME", "LATEST", "OF", "WAITING", "LOOKED", "ADDRESS"])
        for state in states {
            let latest = state.runs.first
            let looked = state.following.looked.map { MirrorRun.moment($0) } ?? "never"
            table.add([
                Table.Cell(state.mirror.name.rawValue, paint: style.strong),
                latest?.painted(style) ?? Table.Cell(""),
                Table.Cell(latest?.subject ?? ""),
                Table.Cell(String(state.runs.count { $0.state == .queued })),
                state.following.problem == nil
                    ? Table.Cell(looked) : Table.Cell("\(looked), failed", paint: style.bad),
                Table.Cell(state.mirror.address.description, paint: style.faint),
            ])
        }
        return table.isEmpty
            ? "No mirrors: ota mirror add NAME https://host/team/app.git" : table.text(style: style)
    }
}
