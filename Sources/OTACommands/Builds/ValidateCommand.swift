import APIDocuments
import Administration
import ArgumentParser
import Bundles
import Cryptography
import Foundation
import Identifiers
import Inspection
import Publishing
import Releases
import Store

struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Check whether a build will install, and explain why not.",
        discussion: """
            Exits with 1 if it will not install; with --all-devices, if it will install on none of \
            them.
            Examples:
              ota validate build.ipa --device 00008120-000A1B2C3D4E5F67 --os 18.1
              ota validate build.ipa --model iPhone15,2 --os 18.1
              ota validate build.ipa --all-devices --at 2027-03-14
            """,
    )

    @Argument(help: "The build.")
    var build: BuildFile

    @Option(
        help: """
            Check for the device with this UDID; the store adds its model and OS version if it has \
            them.
            """
    )
    var device: DeviceUDID?

    @Option(help: "Check for this product type, such as iPhone15,2.")
    var model: String?

    @Option(help: "The device's OS version, such as 18.1.")
    var os: OSVersion?

    @Flag(help: "Check for every device in the store.")
    var allDevices = false

    @Flag(help: "Include UDIDs in the JSON output.")
    var udids = false

    @Option(help: "Check as of this day: YYYY-MM-DD; default: today.")
    var at: Day?

    @Option(
        help: """
            Compare with the release on this channel of the store; default: stable, if there is \
            one.
            """
    )
    var channel: ChannelName?

    @Option(help: "text, json, github (annotations) or junit.")
    var format: FindingsFormat = .text

    @Option(
        help: """
            Exit with 1 at this severity or above: blocks or warns. With --all-devices, blocks if \
            no device can install the build, warns if any device cannot.
            """
    )
    var failOn: FailureThreshold = .blocks

    @OptionGroup var anchorOptions: AnchorOptions
    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !allDevices || (device == nil && model == nil && os == nil) else {
            throw ValidationError(
                "--all-devices checks every device: leave out --device, --model and --os"
            )
        }
        if let model, !model.contains(",") {
            throw ValidationError(
                "--model must be a product type such as iPhone15,2, not “\(model)”"
            )
        }
    }

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let date = at?.date ?? context.now()
        let format = output.json ? .json : format
        // Without a store no anchors are saved; the store must exist only if `--all-devices` needs its
        // register.
        let store = try allDevices ? storeOptions.open(in: context) : openIfThere(in: context)
        let register = allDevices ? try store?.devices() : nil
        let bar = ProgressBar(on: context.terminal, isQuiet: format != .text)
        let outcome: ValidationOutcome
        let verdicts: RegisterVerdicts?
        do {
            let remembered = (try? store?.settings().anchors) ?? []
            let anchors = try anchorOptions.anchors(remembered: remembered)
            let inspected = try Examination(anchors: anchors, date: date)
                .inspect(build.source()) { bar.update($0.title, fraction: $0.fraction) }.report
            let report = try compared(inspected, in: context)
            let judged =
                deviceFacts(in: context).map { report.verdict(for: $0, at: date) }
                ?? report.verdict(at: date)
            outcome = .judged(report, judged)
            verdicts = register.map { RegisterVerdicts(of: report, for: $0, at: date) }
        } catch let archive as UnreadableArchive {
            outcome = .unreadable(archive)
            verdicts = register.map { RegisterVerdicts(of: archive, for: $0) }
        }
        bar.finish()
        let report = ValidationReport(
            file: build.path,
            outcome: outcome,
            verdicts: verdicts,
            udids: udids,
            date: date,
        )
        try context.terminal.print(report.text(format, style: context.terminal.style))
        if failOn.isReached(by: report) { throw ExitCode(1) }
    }

    private func openIfThere(in context: CommandContext) -> OTAStore? {
        try? storeOptions.open(in: context)
    }

    /// Compares the report with the app's builds in the store, if there is one; only `--channel` requires
    /// one.
    private func compared(
        _ report: InspectionReport,
        in context: CommandContext,
    ) throws -> InspectionReport {
        let history: PublishedHistory?
        if let channel {
            history = try storeOptions.open(in: context).history(for: report, on: channel)
        } else {
            history = try? storeOptions.open(in: context).history(for: report, on: .stable)
        }
        return history.map(report.judged) ?? report
    }

    /// What the options and the register say about the device; options take precedence.
    private func deviceFacts(in context: CommandContext) -> DeviceFacts? {
        guard device != nil || model != nil || os != nil else { return nil }
        let known = device.flatMap { try? storeOptions.open(in: context).devices()[$0] }
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

    func isReached(by report: ValidationReport) -> Bool {
        switch self {
        case .blocks:
            report.verdicts?.verdict.map { $0 == .blocked } ?? report.isBlocked
        case .warns:
            report.verdicts?.verdict.map { $0 != .installs } ?? false
                || report.findings.contains { $0.severity >= .warns }
        }
    }
}
