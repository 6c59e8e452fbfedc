import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Releases

struct InstallsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "installs",
        abstract: "Show who installed what and when, newest first.",
        discussion: """
            iOS does not report installs, so this is what devices downloaded: only the manifest, part of \
            the build, or all of it.
            Example:
              ota installs browsey --days 7
              ota installs --csv > installs.csv
            """,
    )

    @Argument(help: "The app, by bundle identifier or slug; default: all apps.")
    var app: String?

    @Option(help: "How many days to look back, at most 366; with --csv, at most 3660.")
    var days = 30

    @Option(help: ArgumentHelp("How many attempts to show, at most 1000.", valueName: "number"))
    var limit = 100

    @Flag(help: "Print comma-separated values: every attempt of these days, oldest first.")
    var csv = false

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...1000).contains(limit) else {
            throw ValidationError("--limit must be from 1 to 1000")
        }
        let most = csv ? ExportedList.daysRange.upperBound : 366
        guard (1...most).contains(days) else {
            throw ValidationError("--days must be from 1 to \(most)")
        }
        guard !csv || !output.json else {
            throw ValidationError("give --csv or --json, not both")
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let target = try target.open(in: context)
        if csv {
            return try await target.print(.installs(of: app, days: days), to: context.terminal)
        }
        let document: InstallsDocument
        if let app {
            document = try await target.perform(ListInstalls(of: app, limit: limit, days: days))
        } else {
            document = try await target.perform(ListAllInstalls(limit: limit, days: days))
        }
        try context.show(InstallTable(document: document), json: output.json)
    }
}

private struct InstallTable: CommandResult {
    let document: InstallsDocument

    func text(style: Style) -> String {
        var table = Table(["WHEN", "DEVICE", "APP", "RELEASE", "OUTCOME"])
        for install in document.installs {
            table.add([
                Table.Cell(Wording.moment(install.ended), paint: style.faint),
                Table.Cell(install.deviceName ?? install.person ?? "–", paint: style.strong),
                Table.Cell(install.app),
                Table.Cell(install.release),
                outcome(install, style),
            ])
        }
        return table.isEmpty ? "No install attempts yet." : table.text(style: style)
    }

    private func outcome(_ install: InstallEntry, _ style: Style) -> Table.Cell {
        switch install.outcome {
        case .downloaded:
            Table.Cell("downloaded, \(Wording.size(install.sent))", paint: style.good)
        case .manifestOnly: Table.Cell("not downloaded", paint: style.warning)
        case .cutShort:
            Table.Cell("stopped after \(Wording.size(install.sent))", paint: style.warning)
        }
    }
}
