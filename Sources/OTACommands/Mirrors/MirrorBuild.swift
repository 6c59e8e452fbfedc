import APIDocuments
import Administration
import ArgumentParser
import Bytes
import Foundation
import MirrorBuilds
import Mirrors
import OTAClient
import Releases
import Sandboxing
import Store
import Synchronization
import Versions

struct MirrorBuild: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Build a tag, a branch or a commit.",
        discussion: """
            Syncs the mirror first. With --tag as well as --branch or --commit, that commit is built \
            with the version of the tag, which need not exist. Exits with 1 if the build fails.
            Example:
              ota mirror build browsey --tag v1.2.0
              ota mirror build browsey --branch main --tag v1.3.0-beta.1
            """,
    )

    @Argument(help: "The mirror.")
    var name: String

    @Option(
        help: "The tag to build, or whose version the build gets.",
        transform: { try TagName($0) },
    )
    var tag: TagName?

    @Option(help: "The branch to build.")
    var branch: String?

    @Option(help: "The commit to build, as its full hash.")
    var commit: CommitIdentifier?

    @Flag(
        help: """
            Build a tag that was moved, and replace its release: the earlier build is replaced, or \
            withdrawn if the new one has another build number.
            """
    )
    var rebuild = false

    @Flag(inversion: .prefixedNo, help: "Sync the mirror first.")
    var sync = true

    @Flag(help: "Only queue the build; a running server builds it.")
    var queueOnly = false

    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard branch == nil || commit == nil else {
            throw ValidationError("give --branch or --commit, not both")
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let run =
            if let server = target.serverURL(in: context) {
                try await run(on: server, context)
            } else {
                try await runHere(context)
            }
        try context.show(RunResult([run]), json: output.json)
        try Self.fail(after: [run])
    }

    private func run(on server: String, _ context: CommandContext) async throws -> RunDocument {
        let mirror = RemoteMirror(
            server: try target.remote(server, in: context),
            name: name,
            terminal: context.terminal,
            isQuiet: output.json,
        )
        if sync {
            let report = try await mirror.sync().mirror.report
            if !output.json {
                for remark in report?.remarks ?? [] { context.terminal.remark(remark.printable) }
            }
        }
        let run = try await mirror.server.perform(
            StartBuild(
                of: name,
                BuildRequest(
                    tag: tag?.rawValue,
                    branch: branch,
                    commit: commit?.description,
                    rebuild: rebuild ? true : nil,
                ),
            )
        )
        say(run, context)
        return queueOnly ? run : try await mirror.follow(run.number)
    }

    private func runHere(_ context: CommandContext) async throws -> RunDocument {
        let store = try target.storeOptions.open(in: context)
        let place = try target.storeOptions.mirrors(of: store, in: context)
        let mirror = try store.mirror(named: name)
        if sync {
            let report = try await MirrorSync.sync(
                mirror,
                place,
                context,
                isQuiet: output.json,
            )
            if !output.json { for remark in report.remarks { context.terminal.remark(remark) } }
        }
        var build = ManualBuild()
        build.tag = tag
        build.branch = branch
        build.commit = commit
        build.isRebuild = rebuild
        var run = try await MirrorActions(in: place, by: context.actor).queue(build, of: name)
        say(RunDocument(run), context)
        if !queueOnly {
            _ = try await Self.work(for: mirror, place, context, isQuiet: output.json)
            run = try store.run(run.number, of: mirror.name) ?? run
        }
        return RunDocument(run)
    }

    /// Prints the warnings of a queued build at once; if the build is only queued, its result contains
    /// them.
    private func say(_ run: RunDocument, _ context: CommandContext) {
        guard !output.json, !queueOnly else { return }
        for warning in run.warnings { context.terminal.remark("note: \(warning.printable)") }
    }

    /// Runs the queued builds, with their logs on standard error.
    ///
    /// - Returns: the builds; nil if another process builds for this mirror.
    static func work(
        for mirror: Mirror,
        _ place: MirrorContext,
        _ context: CommandContext,
        isQuiet: Bool,
    ) async throws -> [MirrorRun]? {
        let terminal = context.terminal
        let ended = EndedBuilds()
        var place = place
        place.controlGroups = await blocking { ControlGroups.prepare() }
        let worker = MirrorWorker(for: mirror.name, in: place) { bytes in
            if !isQuiet { terminal.draw(LogOutput.plain(bytes)) }
        }
        let notice = Task { [store = place.store] in
            await RunnerNotice(of: mirror.name, in: store).watch {
                if !isQuiet { terminal.remark($0) }
            }
        }
        defer { notice.cancel() }
        let isOurs = try await Interruption.cancelling {
            try await worker.work(onEnd: { ended.add($0) })
        }
        guard isOurs else {
            if !isQuiet {
                let runs = (try? place.store.runs(of: mirror.name, count: 20)) ?? []
                if let busy = runs.first(where: { $0.state == .running }) {
                    let document = RunDocument(busy)
                    terminal.remark("Build \(busy.number) is \(document.stateWords).")
                }
                terminal.remark(
                    "Another process is building \(mirror.name) and runs what is queued: `ota "
                        + "mirror logs \(mirror.name) --follow`"
                )
            }
            return nil
        }
        return ended.runs
    }

    /// Throws exit status 1, whose reason has been shown, if a build failed.
    ///
    /// A build that an earlier process left interrupted does not count if it was repeated.
    static func fail(after runs: [RunDocument]) throws {
        let repeated = Set(runs.compactMap(\.repeats))
        let isBad = runs.contains { run in
            switch run.state {
            case .failed, .cancelled: true
            case .interrupted: !repeated.contains(run.number)
            case .queued, .running, .skipped, .succeeded: false
            }
        }
        if isBad { throw ExitCode.failure }
    }
}

private final class EndedBuilds: Sendable {
    private let ended = Mutex<[MirrorRun]>([])

    var runs: [MirrorRun] { ended.withLock { $0 } }

    func add(_ run: MirrorRun) {
        ended.withLock { $0.append(run) }
    }
}

extension CommitIdentifier: TypedValue {
    init(typed text: String) throws {
        guard let commit = Self(text) else {
            throw WrongText(wanted: "a full commit hash: 40 or 64 hexadecimal digits in lower case")
        }
        self = commit
    }
}
