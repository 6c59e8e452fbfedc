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
              ota activity --csv --actor ana --kind published > ana.csv
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

    @Flag(
        help: """
            Print comma-separated values: every entry of the last --days or since --from, \
            oldest first.
            """
    )
    var csv = false

    @Option(
        help: "How many days --csv covers, at most 3660; default: all since --from, or else 366."
    )
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
        guard !csv || limit == nil else {
            throw ValidationError("give --csv without --limit")
        }
        guard days == nil || from == nil else {
            throw ValidationError("give --days or --from, not both")
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
        let filter = ActivityFilter(actor: actor, kind: kind, from: from, to: to)
        if csv {
            let list = ExportedList.activity(days: days, of: app, matching: filter)
            return try await target.print(list, to: context.terminal)
        }
        let document = try await target.perform(
            ShowActivity(limit: limit ?? 50, of: app, matching: filter)
        )
        try context.show(
            ActivityTable(document: document, isFiltered: app != nil || !filter.isEmpty),
            json: output.json,
        )
    }
}

private struct ActivityTable: CommandResult {
    let document: ActivityDocument
    let isFiltered: Bool

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
        let none = isFiltered ? "No activity matches this filter." : "No activity yet."
        let text = table.isEmpty ? none : table.text(style: style)
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
