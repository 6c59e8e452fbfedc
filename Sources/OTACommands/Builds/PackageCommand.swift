import ArgumentParser
import Foundation
import Packaging
import PropertyLists
import Releases

struct PackageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "package",
        abstract: "Package an .xcarchive as an IPA.",
        discussion: """
            Needs no Xcode. The same app always gives the same bytes; symbols and files that only \
            the App Store needs are left out. An unsigned app is packaged too, with a warning that \
            it cannot be installed.
            Example:
              ota package App.xcarchive --output App.ipa
            """,
    )

    @Argument(help: "The .xcarchive folder.")
    var archive: String

    @Option(
        help: ArgumentHelp(
            "The IPA to write; default: next to the archive, named after the app.",
            valueName: "file",
        )
    )
    var output: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let archive = try XcodeArchive(at: path)
        let file = output ?? folder + String(archive.bundleName.dropLast(4)) + ".ipa"
        let bar = ProgressBar(on: context.terminal, isQuiet: json)
        defer { bar.finish() }
        let size = try Package(of: archive).write(to: file) { done, total in
            bar.update("Packing", fraction: total == 0 ? 1 : Double(done) / Double(total))
        }
        bar.finish()
        try context.show(
            PackageResult(ipa: file, size: size, archive: archive),
            json: json,
        )
    }

    private var path: String {
        archive.count > 1 && archive.hasSuffix("/") ? String(archive.dropLast()) : archive
    }

    private var folder: String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }
}

private struct PackageResult: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let ipa: String
        let size: Int
        let bundleIdentifier, version, build: String
        /// Whether it has a signature and a profile; `ota validate` checks them.
        let isSigned: Bool
        /// Why it cannot be installed: `unsigned`, `noProfile` or nothing.
        let defect: String
    }

    let ipa: String
    let size: Int
    let archive: XcodeArchive

    var document: Document {
        Document(
            ipa: ipa,
            size: size,
            bundleIdentifier: text("CFBundleIdentifier"),
            version: text("CFBundleShortVersionString"),
            build: text("CFBundleVersion"),
            isSigned: archive.defect == nil,
            defect: archive.defect?.rawValue ?? "",
        )
    }

    func text(style: Style) -> String {
        let name =
            "\(text("CFBundleIdentifier")) \(text("CFBundleShortVersionString")) "
            + "(\(text("CFBundleVersion")))"
        var lines = [
            style.good("Packed") + " \(ipa): \(name), \(Wording.size(size)).".printable
        ]
        switch archive.defect {
        case .unsigned:
            lines.append(
                style.warning("Not installable:")
                    + " the app is not signed. Archive it with a certificate and an Ad Hoc "
                    + "profile; without them you can only inspect it."
            )
        case .noProfile:
            lines.append(
                style.warning("Not installable:")
                    + " the app has no embedded.mobileprovision; it was built for the simulator "
                    + "or the App Store. Archive it with an Ad Hoc profile."
            )
        case nil: lines.append("Check whether it installs: ota validate \(ipa)".printable)
        }
        return lines.joined(separator: "\n")
    }

    private func text(_ key: String) -> String { archive.info[key]?.string ?? "" }
}
