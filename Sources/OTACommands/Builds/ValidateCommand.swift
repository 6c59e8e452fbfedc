import ArgumentParser
import Bundles
import Foundation
import Inspection
import Publishing
import Releases
import Store

struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Say whether a build would install, and if not, why.",
        discussion: """
            Exits 1 when it would not.
            Example:
              ota validate build.ipa --device 00008120-000A1B2C3D4E5F67 --os 18.1
            """,
    )

    @Argument(help: "The build.")
    var build: BuildFile

    @Option(help: "Judge for the device with this UDID; the register adds what it knows of it.")
    var device: DeviceUDID?

    @Option(help: "Its product type, such as iPhone15,2.")
    var model: String?

    @Option(help: "The version of its system, such as 18.1.")
    var os: OSVersion?

    @Option(help: "Judge as if it were this day: YYYY-MM-DD.")
    var at: Day?

    @Option(help: "text, json, github (annotations) or junit.")
    var format: FindingsFormat = .text

    @Option(help: "Exit 1 from this severity on: blocks or warns.")
    var failOn: FailureThreshold = .blocks

    @OptionGroup var anchorOptions: AnchorOptions
    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard device != nil || (model == nil && os == nil) else {
            throw ValidationError("--model and --os describe a device: give --device too")
        }
    }

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let date = at?.date ?? context.now()
        let format = output.json ? .json : format
        let bar = ProgressBar(on: context.terminal, isQuiet: format != .text)
        let outcome: ValidationOutcome
        do {
            let examined = try Examination(anchors: anchorOptions.anchors(), date: date)
                .inspect(build.source()) { bar.update($0.title, fraction: $0.fraction) }
            let verdict =
                try deviceFacts(in: context).map { examined.report.verdict(for: $0, at: date) }
                ?? examined.report.verdict(at: date)
            outcome = .judged(examined.report, verdict)
        } catch let archive as UnreadableArchive {
            outcome = .unreadable(archive)
        }
        bar.finish()
        let report = ValidationReport(file: build.path, outcome: outcome, date: date)
        try context.terminal.print(report.text(format, style: context.terminal.style))
        if failOn.isReached(by: report.findings) { throw ExitCode(1) }
    }

    /// What the options and the register know of the device; options win.
    private func deviceFacts(in context: CommandContext) throws -> DeviceFacts? {
        guard let device else { return nil }
        let known = try? storeOptions.open(in: context).devices()[device]
        let family = model.flatMap(ProductFamily.init(model:)) ?? known?.family
        return DeviceFacts(
            udid: device,
            family: family?.deviceFamily,
            os: os ?? known?.os,
            model: model ?? known?.model,
        )
    }
}

/// The severity from which on a validation fails.
enum FailureThreshold: String, ExpressibleByArgument, CaseIterable {
    case blocks, warns

    func isReached(by findings: [Finding]) -> Bool {
        findings.contains { finding in
            switch self {
            case .blocks: finding.severity == .blocks
            case .warns: finding.severity >= .warns
            }
        }
    }
}
