import ACME
import ArgumentParser
import Foundation
import Jobs
import MirrorBuilds
import Notices
import Publishing
import Releases
import Runners
import Store

struct StoreVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check everything in the store and report damage.",
        discussion: """
            Exits with 1 if something is damaged.
            Example:
              ota store verify --json
            """,
    )

    @Flag(help: "Only check that files exist, without reading them.")
    var quick = false

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try run(in: .live) }

    func run(in context: CommandContext) throws {
        let store = try storeOptions.open(in: context)
        let bar = ProgressBar(on: context.terminal, isQuiet: output.json)
        let further =
            try store.noticeProblems() + store.retentionProblems() + store.feedbackProblems()
            + store.mirrorProblems() + store.jobProblems()
            + store.certificateProblems()
            + store.runnerProblems()
        let found = try store.verify(readingBlobs: !quick, beside: further) { done, total in
            bar.update("Verifying", fraction: Double(done) / Double(max(total, 1)))
        }
        bar.finish()
        try context.show(VerifyResult(found: found, isQuick: quick), json: output.json)
        if !found.problems.isEmpty { throw ExitCode(1) }
    }
}

private struct VerifyResult: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let problems: [StoreProblem]
        let releases, blobs, bytes, unreferenced: Int
    }

    let found: StoreVerification
    /// Whether the files of builds were not read.
    let isQuick: Bool

    var document: Document {
        Document(
            problems: found.problems,
            releases: found.releases,
            blobs: found.blobs,
            bytes: found.bytes,
            unreferenced: found.unreferenced,
        )
    }

    func text(style: Style) -> String {
        var lines = found.problems.map { $0.text(style: style) }
        let counts =
            "\(Wording.count(found.releases, "release")), \(Wording.count(found.blobs, "blob")), "
            + Wording.size(found.bytes)
            + (found.unreferenced > 0 ? ", \(found.unreferenced) unreferenced (ota store gc)" : "")
        let verdict =
            found.problems.isEmpty
            ? style.good("No damage found.")
            : style.bad(Wording.count(found.problems.count, "problem") + ".")
        lines.append("\(verdict) \(counts).")
        if isQuick { lines.append("The files of the builds were not read.") }
        return lines.joined(separator: "\n")
    }
}

extension StoreProblem {
    /// The problem, its place and its fix, on separate lines.
    func text(style: Style) -> String {
        """
        \(style.bad("✗ \(id)"))
            \(message.printable)
            \(style.faint("at"))  \(place.printable)
            \(style.faint("fix")) \(fix.printable)
        """
    }
}
