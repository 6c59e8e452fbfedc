import ArgumentParser
import Bundles
import Bytes
import Foundation
import Inspection
import Publishing
import Releases
import Store

struct DevicesCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say which devices can install a build or a release.",
        discussion: """
            Example:
              ota devices check build.ipa
              ota devices check browsey 1.2.0
            """,
    )

    @Argument(help: "An .ipa file, or an app.")
    var target: String

    @Argument(help: "A release of the app; what its default channel offers without it.")
    var release: String?

    @OptionGroup var anchorOptions: AnchorOptions
    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        let now = context.now()
        let report = try report(in: store, at: now)
        let rows = try store.devices().active.map { device in
            DeviceVerdictRow(device, report.verdict(for: device.facts, at: now))
        }
        let result = DeviceVerdicts(heading: report, rows: rows)
        try context.show(result, json: output.json)
    }

    private func report(in store: OTAStore, at date: Date) throws -> InspectionReport {
        if target.lowercased().hasSuffix(".ipa"), release == nil {
            let anchors = try anchorOptions.anchors(remembered: store.settings().anchors)
            return try Examination(anchors: anchors, date: date)
                .inspect(FileSource(path: target)).report
        }
        let app = try store.app(named: target)
        if let release { return try store.report(of: store.release(named: release, of: app)) }
        guard let channel = app.defaultChannel,
            let offered = try store.release(on: channel, of: app)
        else {
            throw CommandFailure(
                id: "release.unknown",
                message: "no channel of \(app.title) offers a release",
                mend: "name one: ota devices check \(app.slug) VERSION",
            )
        }
        return try store.report(of: offered)
    }
}

/// One device and its verdict.
private struct DeviceVerdictRow: Encodable {
    let udid, name, family: String
    let verdict: Verdict
    let reasons: [String]
    let messages: [String]

    init(_ device: Device, _ judged: DeviceVerdict) {
        udid = device.udid.rawValue
        name = device.name
        family = device.family.rawValue
        verdict = judged.verdict
        reasons = judged.reasons.map(\.id)
        messages = judged.reasons.map(\.message)
    }
}

private struct DeviceVerdicts: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let devices: [DeviceVerdictRow]
    }

    let heading: InspectionReport
    let rows: [DeviceVerdictRow]

    var document: Document { Document(devices: rows) }

    func text(style: Style) -> String {
        let title = FindingsText(style: style).heading(heading)
        guard !rows.isEmpty else { return title + "\n\nNo devices yet: ota devices add UDID" }
        var table = Table(["DEVICE", "FAMILY", "VERDICT", "WHY"])
        for row in rows {
            let paint = row.verdict == .installs ? style.good : style.bad
            table.add([
                Table.Cell(row.name, paint: style.strong),
                Table.Cell(row.family),
                Table.Cell(row.verdict.rawValue, paint: paint),
                Table.Cell(row.messages.first ?? ""),
            ])
        }
        let count = rows.count { $0.verdict == .installs }
        return title + "\n\n" + table.text(style: style)
            + "\n\n\(count) of \(Wording.count(rows.count, "device")) can install it."
    }
}
