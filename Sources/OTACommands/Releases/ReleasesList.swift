import ArgumentParser
import Foundation
import Releases
import Store

struct ReleasesList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List releases, of one app or of all.",
        discussion: """
            Example:
              ota releases list browsey --limit 5
            """,
    )

    @Argument(help: "The app; all apps without it.")
    var app: String?

    @Option(help: "How many of each app at most, the newest first.")
    var limit = 20

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be 1 or more") }
    }

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        let apps = try app.map { [try store.app(named: $0)] } ?? store.apps()
        let rows = try apps.flatMap { app in
            try store.releases(of: app.bundleIdentifier, count: limit).map {
                ReleaseRow($0, in: app)
            }
        }
        let all = try apps.reduce(0) {
            try $0 + store.releaseIdentifiers(of: $1.bundleIdentifier).count
        }
        let list = ReleaseList(rows: rows, older: all - rows.count, now: context.now())
        try context.show(list, json: output.json)
    }
}

private struct ReleaseList: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let releases: [ReleaseRow]
        let older: Int
    }

    let rows: [ReleaseRow]
    /// How many more there are beyond the limit.
    let older: Int
    let now: Date

    var document: Document { Document(releases: rows, older: older) }

    func text(style: Style) -> String {
        guard !rows.isEmpty else { return "Nothing is published yet: ota publish build.ipa" }
        var table = Table(["APP", "VERSION", "BUILD", "OFFERED ON", "PUBLISHED", "SIZE", "STATE"])
        for row in rows {
            table.add([
                Table.Cell(row.name, paint: style.strong),
                Table.Cell(row.version),
                Table.Cell(row.build),
                Table.Cell(row.offeredOn.joined(separator: ", "), paint: style.good),
                Table.Cell(Wording.day(row.published)),
                Table.Cell(Wording.size(row.size)),
                state(of: row, style),
            ])
        }
        guard older > 0 else { return table.text(style: style) }
        return table.text(style: style)
            + "\n\n\(Wording.count(older, "older release")) not shown: give a larger --limit."
    }

    private func state(of row: ReleaseRow, _ style: Style) -> Table.Cell {
        if row.state == "withdrawn" { return Table.Cell("withdrawn", paint: style.bad) }
        guard let until = row.installsUntil else { return Table.Cell("available") }
        if until <= now { return Table.Cell("expired", paint: style.bad) }
        let text = "expires \(Wording.distance(to: until, from: now))"
        return Wording.days(from: now, to: until) <= 30
            ? Table.Cell(text, paint: style.warning) : Table.Cell(text)
    }
}
