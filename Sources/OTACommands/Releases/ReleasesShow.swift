import ArgumentParser
import Foundation
import Inspection
import Releases
import Store

struct ReleasesShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one release, judged as of now.",
        discussion: """
            Example:
              ota releases show browsey 1.2.0
            """,
    )

    @OptionGroup var named: ReleaseArguments

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        let (app, release) = try named.find(in: store)
        let now = context.now()
        let report = try store.report(of: release)
        let card = ReleaseCard(
            row: ReleaseRow(release, in: app),
            report: report,
            verdicts: RegisterVerdicts(of: report, for: try store.devices(), at: now),
            withdrawal: release.withdrawal,
            now: now,
        )
        try context.show(card, json: output.json)
    }
}

private struct ReleaseCard: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let release: ReleaseRow
        let verdict: Verdict
        @OrNull var installsUntil: Date?
        @OrNull var installsUntilBecause: ExpiryDocument?
        let devices: RegisterCount
        let findings: [FindingDocument]
    }

    let row: ReleaseRow
    let report: InspectionReport
    let verdicts: RegisterVerdicts
    let withdrawal: Release.Withdrawal?
    let now: Date

    var document: Document {
        let judged = report.verdict(at: now)
        return Document(
            release: row,
            verdict: judged.verdict,
            installsUntil: expiry?.date,
            installsUntilBecause: expiry.map(ExpiryDocument.init),
            devices: RegisterCount(verdicts),
            findings: judged.findings.map { FindingDocument($0) },
        )
    }

    private var expiry: Expiry? { report.expiries.first }

    func text(style: Style) -> String {
        let judged = report.verdict(at: now)
        let text = FindingsText(style: style)
        var parts = [
            text.heading(report),
            "Published \(Wording.day(row.published)) by \(row.publisher.printable) on \(row.channel); "
                + (row.offeredOn.isEmpty
                    ? "no channel offers it now."
                    : "offered on \(row.offeredOn.joined(separator: ", "))."),
        ]
        if let withdrawal {
            parts.append(
                style.bad("Withdrawn")
                    + " on \(Wording.day(withdrawal.date)) by \(withdrawal.actor): \(withdrawal.reason)"
                    .printable
            )
        }
        if !row.notes.isEmpty {
            parts.append(
                row.notes.split(separator: "\n").map { String($0).printable }.joined(
                    separator: "\n"
                )
            )
        }
        if !judged.findings.isEmpty { parts.append(text.list(judged.findings)) }
        parts.append(text.verdict(judged.verdict, expiry: expiry, at: now))
        if !verdicts.entries.isEmpty {
            let command = "`ota devices check \(row.app) \(row.release)`"
            parts.append(verdicts.sentence(explainedBy: command))
        }
        return parts.joined(separator: "\n\n")
    }
}
