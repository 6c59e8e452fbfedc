import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Releases

struct ReleasesPin: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin",
        abstract: "Pin a release so that no rule and no pruning removes it.",
        discussion: """
            Example:
              ota releases pin browsey 1.2.0 --reason "the build that the auditors have"
            """,
    )

    @OptionGroup var named: ReleaseArguments

    @Option(help: "Why the release is kept.")
    var reason: String?

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context)
            .perform(PinRelease(named.release, of: named.app, reason: reason))
        try context.show(
            ReleaseResult(
                document: document,
                sentence: "\(document.release.title) is pinned: no rule and no pruning removes it.",
            ),
            json: output.json,
        )
    }
}

struct ReleasesUnpin: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpin",
        abstract: "Unpin a release so that rules and pruning apply to it again.",
        discussion: """
            Example:
              ota releases unpin browsey 1.2.0
            """,
    )

    @OptionGroup var named: ReleaseArguments
    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let document = try await target.open(in: context)
            .perform(UnpinRelease(named.release, of: named.app))
        try context.show(
            ReleaseResult(
                document: document,
                sentence: "\(document.release.title) is not pinned.",
            ),
            json: output.json,
        )
    }
}
