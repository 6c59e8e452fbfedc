import ArgumentParser
import Bundles
import Cryptography
import Foundation
import Identifiers
import Phone
import Releases

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Install from a live page as a phone would, and show each step.",
        discussion: """
            Works with any server. Checks its certificate, page, manifest, HEAD and Range requests, \
            content types and the app's identity. Exits with 1 if a phone could not install the app.
            Example:
              ota doctor https://ota.example.com/apps/browsey
            """,
    )

    @Argument(help: "An install page, an itms-services link or a manifest.")
    var url: String

    @Option(
        name: .customLong("trusted-ca"),
        help: ArgumentHelp(
            "A PEM file with an authority to trust, as if it were installed on the phone. May be repeated.",
            valueName: "file",
        ),
    )
    var trust: [String] = []

    @Option(
        help: ArgumentHelp(
            "The plain-HTTP address of an ota server; fetch its authority and trust it.",
            valueName: "url",
        )
    )
    var trustFrom: String?

    @Option(help: "Check that the app's profile includes this device.")
    var device: DeviceUDID?

    @Option(help: "The phone's OS version; default: 18.1.")
    var os = OSVersion(major: 18, minor: 1)

    @Option(help: "The kind of device: phone or pad.")
    var family: DoctorFamily = .phone

    @Option(
        help: ArgumentHelp(
            "Interrupt the download at this byte and resume it. May be repeated.",
            valueName: "byte",
        )
    )
    var cutAt: [Int] = []

    @Option(
        name: .customLong("save-ipa"),
        help: ArgumentHelp("Save the downloaded app to this file.", valueName: "file"),
    )
    var keep: String?

    @Flag(help: "Stop at the first failure, as a phone does.")
    var stopEarly = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        let schemes = ["https://", "http://", "itms-services:"]
        guard schemes.contains(where: url.lowercased().hasPrefix) else {
            throw ValidationError("\(url) is not a web address: give it with https:// in front")
        }
        guard cutAt.allSatisfy({ $0 > 0 }) else {
            throw ValidationError("--cut-at is the number of a byte, from 1")
        }
        if let keep {
            let file = URL(filePath: keep)
            var isFolder: ObjCBool = false
            let parent = file.deletingLastPathComponent().path(percentEncoded: false)
            guard unsafe FileManager.default.fileExists(atPath: parent, isDirectory: &isFolder),
                isFolder.boolValue
            else { throw ValidationError("--save-ipa \(keep): there is no folder \(parent)") }
            let path = file.path(percentEncoded: false)
            if unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
                guard !isFolder.boolValue else {
                    throw ValidationError("--save-ipa \(keep) is a folder: name a file in it")
                }
            }
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "ota-doctor-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        var phone = SimulatedPhone(downloads: folder, now: context.now())
        phone.authorities = try trust.flatMap { try AnchorOptions.certificates(in: $0) }
        phone.udid = device
        phone.os = os
        phone.family = family.deviceFamily
        phone.cuts = cutAt
        phone.persistence = stopEarly ? .stopsLikeAPhone : .reportsEverything

        let text = StepText(style: context.terminal.style)
        let show: @Sendable (Step) -> Void = { [json = output.json] step in
            if !json { try? context.terminal.print(text.line(step)) }
        }
        if let trustFrom { show(await phone.trustServer(trustFrom)) }
        let attempt = await phone.install(from: url, reporting: show)
        if let keep, let file = attempt.installation?.file {
            let kept = URL(filePath: keep)
            try? FileManager.default.removeItem(at: kept)
            try FileManager.default.moveItem(at: file, to: kept)
        }
        if output.json {
            try context.terminal.print(JSONText.encode(attempt))
        } else {
            try context.terminal.print("\n" + text.conclusion(attempt))
        }
        if !attempt.installs { throw ExitCode(1) }
    }
}

/// The devices that `ota doctor` can simulate.
enum DoctorFamily: String, ExpressibleByArgument, CaseIterable {
    case phone, pad

    var deviceFamily: DeviceFamily {
        switch self {
        case .phone: .phone
        case .pad: .pad
        }
    }
}

/// Formats steps for people.
private struct StepText: Sendable {
    let style: Style

    func line(_ step: Step) -> String {
        let mark =
            switch step.outcome {
            case .passed: style.good("✓")
            case .warned: style.warning("!")
            case .failed: style.bad("✗")
            case .skipped: style.faint("–")
            }
        var text = "\(mark) \(step.title.printable)"
        if !step.detail.isEmpty { text += "\n    " + style.faint(step.detail.printable) }
        if let shown = step.shown { text += "\n    on the phone: \(shown.printable)" }
        if let fix = step.fix { text += "\n    fix: \(fix.printable)" }
        return text
    }

    func conclusion(_ attempt: SimulatedInstall) -> String {
        guard attempt.installs, let app = attempt.installation else {
            let step = attempt.failure?.title ?? "the app did not arrive"
            return style.bad("A phone could not install the app:") + " \(step.printable)"
        }
        let resumed =
            app.resumptions == 0 ? "" : ", resumed \(Wording.count(app.resumptions, "time"))"
        return style.good("A phone could install the app:")
            + " \(app.title.printable), \(Wording.size(app.bytes))\(resumed), SHA-256 \(app.sha256)"
    }
}
