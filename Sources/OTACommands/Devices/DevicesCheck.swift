import APIDocuments
import Administration
import ArgumentParser
import Bundles
import Bytes
import Foundation
import Inspection
import Publishing
import Releases
import Store

struct DevicesCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check which devices can install a build or a release.",
        discussion: """
            Like `ota validate --all-devices`, but also for published releases, and it always \
            exits with 0.
            Examples:
              ota devices check build.ipa
              ota devices check browsey 1.2.0
            """,
    )

    @Argument(help: "An .ipa file, or an app.")
    var subject: String

    @Argument(help: "A release of the app; default: the one on its default channel.")
    var release: String?

    @OptionGroup var anchorOptions: AnchorOptions
    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let isFile = subject.lowercased().hasSuffix(".ipa") && release == nil
        if isFile { return try await checkFile(in: context) }
        let administration = try target.open(in: context)
        let named = try await named(by: administration)
        let verdicts = try await administration.verdicts(of: named, of: subject)
        guard !output.json else {
            return try context.terminal.print(JSONText.encode(verdicts))
        }
        let card = try await administration.perform(ShowRelease(named, of: subject))
        let style = context.terminal.style
        let register = RegisterText(document: verdicts, date: context.now(), style: style)
        let heading = FindingsText(style: style).heading(card)
        try context.terminal.print(([heading] + register.parts).paragraphs)
    }

    /// The named release, or the one that the app's default channel offers.
    private func named(by administration: CommandTarget) async throws -> String {
        if let release { return release }
        let app = try await administration.perform(ShowApp(subject)).app
        guard let offered = app.offered else {
            throw AdministrationRefusal.nothingOffered(app: app.slug)
        }
        return offered
    }

    /// Checks an unpublished build on this machine.
    private func checkFile(in context: CommandContext) async throws {
        let now = context.now()
        let register = try await register(in: context)
        let anchors = try anchorOptions.anchors(remembered: remembered(in: context))
        let report = try Examination(anchors: anchors, date: now)
            .inspect(BuildFile(argument: subject).source()).report
        let answer = ValidationReport(
            file: subject,
            outcome: .judged(report, report.verdict(at: now)),
            verdicts: RegisterVerdicts(of: report, for: register, at: now),
            udids: true,
            date: now,
        )
        try context.terminal.print(
            answer.text(output.json ? .json : .text, style: context.terminal.style)
        )
    }

    private func register(in context: CommandContext) async throws -> DeviceRegister {
        guard target.serverURL(in: context) != nil else {
            return try target.storeOptions.open(in: context).devices()
        }
        return try await target.open(in: context).devices(all: false).register
    }

    private func remembered(in context: CommandContext) throws -> [String] {
        guard target.serverURL(in: context) == nil else { return [] }
        return try target.storeOptions.open(in: context).settings().anchors
    }
}
