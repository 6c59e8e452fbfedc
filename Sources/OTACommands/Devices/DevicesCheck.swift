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
            The same as `ota validate --all-devices`, also for what is published; exits 0 whatever \
            the answer is.
            Examples:
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
        let answer = ValidationReport(
            file: target,
            outcome: .judged(report, report.verdict(at: now)),
            verdicts: RegisterVerdicts(of: report, for: try store.devices(), at: now),
            udids: true,
            date: now,
        )
        try context.terminal.print(
            answer.text(output.json ? .json : .text, style: context.terminal.style)
        )
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
