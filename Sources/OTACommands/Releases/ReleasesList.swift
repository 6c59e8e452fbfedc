import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Releases

struct ReleasesList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the releases of one app, or of all apps.",
        discussion: """
            Example:
              ota releases list browsey --limit 5
            """,
    )

    @Argument(help: "The app; default: all apps.")
    var app: String?

    @Option(
        help: ArgumentHelp(
            "The most releases to list for each app, newest first.",
            valueName: "number",
        )
    )
    var limit = 20

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be 1 or more") }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context).releases(of: app, limit: limit)
        try context.show(ReleaseList(document: document, now: context.now()), json: output.json)
        if document.unreadable != nil { throw ExitCode(1) }
    }
}

private struct ReleaseList: CommandResult {
    let document: ReleasesDocument
    let now: Date

    func text(style: Style) -> String {
        let rows = document.releases
        let older = document.older
        let remark = UnreadableRemark.text(document.unreadable, style: style)
        guard !rows.isEmpty else {
            return "Nothing has been published yet: ota publish build.ipa" + remark
        }
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
        guard older > 0 else { return table.text(style: style) + remark }
        return table.text(style: style)
            + "\n\n\(Wording.count(older, "older release")) not shown: raise --limit."
            + remark
    }

    private func state(of row: ReleaseEntry, _ style: Style) -> Table.Cell {
        let pinned = row.pin == nil ? "" : ", pinned"
        if row.isWithdrawn { return Table.Cell("withdrawn" + pinned, paint: style.bad) }
        guard let until = row.installsUntil else { return Table.Cell("available" + pinned) }
        if until <= now { return Table.Cell("expired" + pinned, paint: style.bad) }
        let text = "expires \(Wording.distance(to: until, from: now))" + pinned
        return Wording.days(from: now, to: until) <= 30
            ? Table.Cell(text, paint: style.warning) : Table.Cell(text)
    }
}
