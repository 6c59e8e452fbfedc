import APIDocuments
import Administration
import ArgumentParser
import Bytes
import Foundation
import Identifiers
import MirrorBuilds
import Mirrors
import OTAClient
import Releases
import Store
import Versions

struct MirrorSync: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Sync a mirror now, and build what was pushed.",
        discussion: """
            Exits with 1 if a build fails; if a build was interrupted, the result of its repetition counts. \
            If a running server already builds for the mirror, it runs the queued builds.
            Example:
              ota mirror sync browsey
            """,
    )

    @Argument(help: "The mirror.")
    var name: String

    @Flag(help: "Only queue the builds; a running server builds them.")
    var queueOnly = false

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let result =
            if let server = target.serverURL(in: context) {
                try await run(on: server, context)
            } else {
                try await runHere(context)
            }
        try context.show(result, json: output.json)
        try MirrorBuild.fail(after: result.runs)
    }

    private func run(on server: String, _ context: CommandContext) async throws -> SyncResult {
        let mirror = RemoteMirror(
            server: try target.remote(server, in: context),
            name: name,
            terminal: context.terminal,
            isQuiet: output.json,
        )
        let found = try await mirror.sync()
        guard let report = found.mirror.report else { throw MirrorRefusal.unknown(name) }
        var runs: [RunDocument] = []
        for number in report.queued {
            runs.append(
                try await queueOnly
                    ? mirror.server.perform(ShowBuild(number, of: name)) : mirror.follow(number)
            )
        }
        return SyncResult(mirror: found.mirror.name, report: report, runs: runs)
    }

    private func runHere(_ context: CommandContext) async throws -> SyncResult {
        let store = try target.storeOptions.open(in: context)
        let place = try target.storeOptions.mirrors(of: store, in: context)
        let mirror = try store.mirror(named: name)
        let report = try await Self.sync(mirror, place, context, isQuiet: output.json)
        var runs = report.queued
        if !queueOnly {
            let built = try await MirrorBuild.work(
                for: mirror,
                place,
                context,
                isQuiet: output.json,
            )
            runs = try (built ?? report.queued).map {
                try store.run($0.number, of: mirror.name) ?? $0
            }
        }
        return SyncResult(
            mirror: mirror.name.rawValue,
            report: SyncDocument(SyncReport(report)),
            runs: runs.map(RunDocument.init),
        )
    }

    /// Fetches the repository, and shows the progress that git reports.
    @discardableResult
    static func sync(
        _ mirror: Mirror,
        _ place: MirrorContext,
        _ context: CommandContext,
        isQuiet: Bool,
    ) async throws -> SyncOutcome {
        let terminal = context.terminal
        try mirror.checkInUse()
        if !isQuiet { terminal.remark("Syncing \(mirror.address)") }
        let shows = !isQuiet && terminal.showsProgress
        let report = try await MirrorActions(in: place, by: context.actor).sync(
            mirror.name.rawValue,
            onWait: {
                guard !isQuiet else { return }
                terminal.remark("Waiting: another process is fetching \(mirror.name)")
            },
            progress: {
                guard shows else { return }
                let line = String(decoding: $0, as: UTF8.self).textLines
                    .last { !$0.isEmpty }
                guard let line else { return }
                terminal.draw("\r\u{1B}[2K" + PrintableText(escaping: line, limit: 100).text)
            },
        )
        if shows { terminal.draw("\r\u{1B}[2K") }
        return report
    }
}

private struct SyncResult: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let mirror: String
        let first: Bool
        let changes: [SyncDocument.Change]
        let remarks: [String]
        let builds: [RunDocument]
    }

    let mirror: String
    let report: SyncDocument
    let runs: [RunDocument]

    var document: Document {
        Document(
            mirror: mirror,
            first: report.first,
            changes: report.changes,
            remarks: report.remarks,
            builds: runs,
        )
    }

    func text(style: Style) -> String {
        var lines: [String] = []
        if report.first {
            lines.append(
                "\(mirror.printable): found \(report.tags) tags and \(report.branches) branches; "
                    + "the server builds what is pushed from now on."
            )
        } else if report.changes.isEmpty {
            lines.append("\(mirror.printable): no changes.")
        }
        for change in report.changes {
            let kind = change.isTag ? "tag" : "branch"
            let verb =
                switch change.kind {
                case .appeared: "new"
                case .moved: "moved"
                case .deleted: "gone"
                }
            lines.append("\(verb) \(kind) \(style.strong(change.name.printable))")
        }
        lines += report.remarks.map { style.warning("note:") + " " + $0.printable }
        if !runs.isEmpty { lines.append(RunResult(runs).text(style: style)) }
        return lines.joined(separator: "\n")
    }
}
