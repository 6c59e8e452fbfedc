import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Publishing
import Releases

struct ReleasesPrune: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Remove old releases; those on a channel and pinned ones always stay.",
        discussion: """
            The next `ota store gc` deletes their files.
            Example:
              ota releases prune browsey --keep 10 --dry-run
            """,
    )

    @Argument(help: "The app.")
    var app: String

    @Option(help: "How many of the newest releases to keep on each channel.")
    var keep = 10

    @Flag(help: "Show what would be removed, and remove nothing.")
    var dryRun = false

    @Flag(
        help: """
            Also remove the published file of releases that were signed again; they can then no longer be \
            signed again.
            """
    )
    var originals = false

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard keep >= 0 else { throw ValidationError("--keep must be 0 or more") }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context)
            .perform(
                PruneReleases(
                    of: app,
                    PruneRequest(keep: keep, isDryRun: dryRun, dropsOriginals: originals),
                )
            )
        try context.show(PruneResult(document: document), json: output.json)
    }
}

private struct PruneResult: CommandResult {
    let document: PruneDocument

    func text(style: Style) -> String {
        let removed = document.removed
        let files = document.files ?? []
        let verb = document.dryRun ? "Would remove" : "Removed"
        var lines: [String] = []
        if !removed.isEmpty {
            lines.append(
                "\(verb) \(Wording.count(removed.count, "release")): "
                    + removed.joined(separator: ", ").printable
            )
        }
        lines += files.map { file in
            let what = file.isOriginal ? "the published file" : "a superseded signing"
            return "\(verb) \(what) of \(file.release.printable): "
                + "\(Wording.size(file.size)), SHA-256 \(file.sha256.printable)"
        }
        return lines.isEmpty ? "There is nothing to remove." : lines.joined(separator: "\n")
    }
}
