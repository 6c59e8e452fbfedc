import APIDocuments
import Administration
import ArgumentParser
import Bytes
import Foundation
import Releases

struct ActivityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activity",
        abstract: "Show who did what, newest first.",
        discussion: """
            Example:
              ota activity --limit 20
              ota activity --csv --days 90 > activity.csv
              ota activity --app browsey
              ota activity --actor ci --kind published --from 2027-03-01 --to 2027-03-14
            """,
    )

    @Option(
        help: ArgumentHelp(
            "How many entries to show, at most 500; default: 50.",
            valueName: "number",
        )
    )
    var limit: Int?

    @Flag(help: "Print comma-separated values: every entry of the last --days, oldest first.")
    var csv = false

    @Option(help: "How many days back --csv goes, at most 3660; default: 366.")
    var days: Int?

    @Option(help: "Only what happened to this app, by bundle identifier or slug.")
    var app: String?

    @Option(help: "Only what this user, token or device did, by its full name.")
    var actor: String?

    @Option(help: "Only this kind, such as published or deviceApproved.")
    var kind: Activity.Event?

    @Option(help: "Only from this day on, in UTC: YYYY-MM-DD.")
    var from: ActivityDay?

    @Option(help: "Only up to and including this day, in UTC: YYYY-MM-DD.")
    var to: ActivityDay?

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...500).contains(limit ?? 1) else {
            throw ValidationError("--limit must be from 1 to 500")
        }
        guard ExportedList.daysRange.contains(days ?? 1) else {
            throw ValidationError("--days must be from 1 to \(ExportedList.daysRange.upperBound)")
        }
        guard csv || days == nil else {
            throw ValidationError("--days is for --csv; without it, give --from")
        }
        let isFiltered = actor != nil || kind != nil || from != nil || to != nil || app != nil
        guard !csv || !isFiltered && limit == nil else {
            throw ValidationError(
                "give --csv without --app, --actor, --kind, --from, --to and --limit"
            )
        }
        if let from, let to, to.start < from.start {
            throw ValidationError("--to must not be before --from")
        }
        guard !csv || !output.json else {
            throw ValidationError("give --csv or --json, not both")
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let target = try target.open(in: context)
        if csv {
            let days = days ?? ExportedList.usualDays
            return try await target.print(.activity(days: days), to: context.terminal)
        }
        let filter = ActivityFilter(actor: actor, kind: kind, from: from, to: to)
        let document = try await target.perform(
            ShowActivity(limit: limit ?? 50, of: app, matching: filter)
        )
        try context.show(ActivityTable(document: document), json: output.json)
    }
}

private struct ActivityTable: CommandResult {
    let document: ActivityDocument

    func text(style: Style) -> String {
        var table = Table(["WHEN", "WHO", "WHAT", "KIND"])
        for activity in document.activity {
            table.add([
                Table.Cell(Wording.moment(activity.date), paint: style.faint),
                Table.Cell(activity.actor),
                Table.Cell(activity.deed(app: activity.app), paint: style.strong),
                Table.Cell(activity.event.rawValue, paint: style.faint),
            ])
        }
        let text = table.isEmpty ? "No activity yet." : table.text(style: style)
        return text + UnreadableRemark.text(document.unreadable, style: style)
    }
}

extension ActivityDay: TypedValue {}

extension Activity.Event: TypedValue {
    init(typed text: String) throws {
        guard let event = Self(rawValue: text) else {
            let kinds = Activity.Event.allCases.map(\.rawValue).sorted().joined(separator: ", ")
            throw WrongText(wanted: "a kind: one of \(kinds)")
        }
        self = event
    }
}
