import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Releases

struct ReleasesDiff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show what changed in a release since an earlier one.",
        discussion: """
            Compares size, code, entitlements, profile, devices, minimum iOS and commit.
            Example:
              ota releases diff browsey 1.2.0
              ota releases diff browsey 1.2.0 1.0.0
            """,
    )

    @OptionGroup var named: ReleaseArguments

    @Argument(help: "The release to compare with; default: the one before it on its channel.")
    var other: String?

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context)
            .perform(CompareReleases(named.release, of: named.app, with: other))
        try context.show(ReleaseChanges(document: document), json: output.json)
    }
}

private struct ReleaseChanges: CommandResult {
    let document: ComparisonDocument

    func text(style: Style) -> String {
        guard let other = document.with else {
            return "There is no earlier release to compare with."
        }
        let title = "\(document.release.printable) since \(other.printable)"
        guard !document.changes.isEmpty else { return "\(title): no change." }
        var table = Table(["CHANGED", "BEFORE", "NOW", "DIFFERENCE"])
        for change in document.changes {
            table.add([
                Table.Cell(change.label, paint: style.strong), Table.Cell(change.before ?? "–"),
                Table.Cell(change.now ?? "–"), Table.Cell(change.change ?? ""),
            ])
        }
        return title + "\n\n" + table.text(style: style)
    }
}
