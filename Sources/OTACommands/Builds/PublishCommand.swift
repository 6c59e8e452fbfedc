import APIDocuments
import Administration
import ArgumentParser
import Cryptography
import Foundation
import Identifiers
import Inspection
import OTAClient
import OTAServer
import Pages
import Problems
import Publishing
import Releases
import Store
import Versions

struct PublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Validate a build and publish it on a channel.",
        discussion: """
            Refuses a build that would install on no device, and explains why. Publishing the same \
            file again changes nothing; a different file with the same version and build needs \
            --replace.
            Example:
              ota publish build.ipa --base-url https://ota.example.com --notes CHANGES.md
            To a running server, resuming after a lost connection:
              ota publish build.ipa --server https://ota.example.com --token-file token
            Behind a proxy, set HTTPS_PROXY=http://name:password@host:port.
            In CI, with the result on the page of the run (recipes are in docs/ci):
              ota publish build.ipa --tag "$TAG" --summary summary.md --junit findings.xml
            As a folder for any HTTPS host, without a server:
              ota publish build.ipa --export site --base-url https://example.com/browsey
            """,
    )

    @Argument(help: "The build.")
    var build: BuildFile

    @Option(
        help: """
            The channel to publish on: a-z, 0-9 and . _ -. Default: the tag's channel, such as \
            beta for v1.2.3-beta.1, or stable.
            """
    )
    var channel: ChannelName?

    @Option(help: "Release notes in Markdown: a file, or - for standard input.")
    var notes: String?

    @Option(
        help: """
            The git tag of the build; v1.2.3 allows only a build of version 1.2.3. Empty or dev: \
            no tag.
            """
    )
    var tag: String?

    @Option(help: "The git commit of the build.")
    var commit: String?

    @Flag(help: "Publish even if the build's version differs from the tag's.")
    var allowVersionMismatch = false

    @Flag(help: "Replace the file of an existing release with the same version and build.")
    var replace = false

    @Flag(help: "Check everything, but store nothing.")
    var dryRun = false

    @Option(help: "Write App.ipa, manifest.plist, install.html and icons into this folder instead.")
    var export: String?

    @Option(
        help: """
            The https URL at which testers reach the server or the exported folder. Saved in the \
            store.
            """
    )
    var baseURL: BaseURL?

    @Flag(
        inversion: .prefixedNo,
        help: """
            Print the QR code of the install page; default on a terminal.
            """,
    )
    var qr: Bool?

    @OptionGroup var jobOptions: JobOptions
    @OptionGroup var originOptions: OriginOptions
    @OptionGroup var anchorOptions: AnchorOptions
    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard export == nil || baseURL != nil else {
            throw ValidationError(
                "--export needs --base-url, the URL at which you will host the folder"
            )
        }
        guard commit?.isEmpty != false || (commit?.allSatisfy(\.isHexDigit) == true) else {
            throw ValidationError("--commit must be the hexadecimal digits of a commit")
        }
        guard export == nil || !replace else {
            throw ValidationError(
                "--replace changes a release in a store, so it cannot be used with --export"
            )
        }
        guard !jobOptions.isGiven || (export == nil && !dryRun) else {
            throw ValidationError(
                "--outputs, --summary and --junit report a release; --export and --dry-run create "
                    + "none"
            )
        }
        guard target.server == nil || (export == nil && baseURL == nil && !dryRun) else {
            throw ValidationError(
                "--export, --base-url and --dry-run work on this machine only, so leave out "
                    + "--server"
            )
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        try jobOptions.prepare()
        do {
            if let export, let baseURL {
                return try write(into: export, base: baseURL, in: context)
            }
            let server = dryRun ? nil : target.serverURL(in: context)
            let told =
                if let server {
                    try await publish(on: server, in: context)
                } else {
                    try publish(in: context)
                }
            if let told { try jobOptions.tell(told, json: output.json, in: context) }
        } catch PublishRefusal.blocked(let report) {
            let refusal = PublishRefusal.blocked(report)
            guard !output.json else { throw tellOf(refusal, report.findings, in: context) }
            let style = context.terminal.errorStyle
            context.terminal.remark(FindingsText(style: style).list(report.findings) + "\n")
            let failure = Problem(
                id: refusal.id,
                kind: refusal.kind,
                message: "the build cannot be installed on any device, so it was not published",
                place: build.path,
                fix: "fix the issues above and build again",
            )
            throw tellOf(failure, report.findings, in: context)
        } catch let archive as UnreadableArchive {
            throw tellOf(archive, archive.findings, in: context)
        } catch {
            throw tellOf(error, [], in: context)
        }
    }

    /// Tells the job of a refusal; nothing that keeps it from being told hides the refusal.
    private func tellOf(
        _ refusal: any Error,
        _ findings: [Finding],
        in context: CommandContext,
    ) -> any Error {
        let outcome = PublishOutcome(refusal: refusal, file: build.path, findings: findings)
        try? jobOptions.tell(outcome, json: output.json, in: context)
        return refusal
    }

    private func write(into folder: String, base: BaseURL, in context: CommandContext) throws {
        let bar = ProgressBar(on: context.terminal, isQuiet: output.json)
        defer { bar.finish() }
        let result = try BundleExport(folder: folder, base: base, isDryRun: dryRun).write(
            build.source(),
            options: publishOptions(in: context),
            trusting: anchors(in: context).anchors(),
        ) { bar.update($0.title, fraction: $0.fraction) }
        bar.finish()
        try context.show(result, json: output.json)
    }

    /// - Returns: nil when nothing was stored.
    private func publish(in context: CommandContext) throws -> PublishOutcome? {
        guard dryRun || !target.lacksServer(in: context) else {
            throw Problem(
                id: "server.none",
                kind: .invalid,
                message: "there is a token, but no server to publish to",
                fix: "give --server or OTA_SERVER, or --store for a store on this machine",
            )
        }
        let options = try publishOptions(in: context)
        let anchorOptions = anchors(in: context)
        // A file that cannot be read is named before anything else is done.
        _ = try build.source()
        let bar = ProgressBar(on: context.terminal, isQuiet: output.json)
        defer { bar.finish() }
        let scratch = FileManager.default.temporaryDirectory
            .appending(path: "ota-dry-run-\(UUID().uuidString)", directoryHint: .isDirectory)
        defer { if dryRun { try? FileManager.default.removeItem(at: scratch) } }
        let store = try store(in: context, orElse: scratch)
        let settings = try store.settings()
        let published = try Publish(
            into: store,
            trusting: anchorOptions.anchors(remembered: settings.anchors),
            options: options,
            progress: { bar.update($0.title, fraction: $0.fraction) },
        ).file(build.path)
        bar.finish()
        if !dryRun {
            try target.storeOptions.remember(
                baseURL: baseURL,
                anchors: anchorOptions.pem(),
                in: store,
            )
        }
        let base = baseURL ?? settings.baseURL
        let links = Links(base: try base ?? ServeCommand.defaultBaseURL())
        let result = PublishResult(
            published: published,
            isDryRun: dryRun,
            addresses: PublishAddresses(
                of: published,
                on: options.channel,
                links: links,
                capabilities: CapabilityAuthority(key: try store.capabilityKey()),
                at: options.date,
            ),
            verdicts: RegisterVerdicts(
                of: published.report,
                for: try store.devices(),
                at: options.date,
            ),
            hasBaseURL: base != nil,
            showsCode: qr ?? context.terminal.style.isColoured,
            date: options.date,
        )
        try context.show(result, json: output.json)
        guard !dryRun else { return nil }
        return PublishOutcome(
            of: result.released,
            file: build.path,
            findings: published.report.findings,
        )
    }

    /// The store; for a dry run that finds none, an empty one in the folder `scratch`.
    private func store(in context: CommandContext, orElse scratch: URL) throws -> OTAStore {
        let options = target.storeOptions
        let isThere = FileManager.default.fileExists(atPath: options.path(in: context))
        guard dryRun, !isThere else { return try options.openOrCreate(in: context) }
        return try OTAStore.openOrCreate(
            at: scratch.path(percentEncoded: false),
            now: context.now(),
        )
    }

    private func publish(
        on server: String,
        in context: CommandContext,
    ) async throws -> PublishOutcome {
        let connection = try target.connection(to: server, in: context)
        let bar = ProgressBar(on: context.terminal, isQuiet: output.json)
        defer { bar.finish() }
        var result = try await RemotePublish(
            build: build,
            anchors: try anchors(in: context).anchors(),
            options: try publishOptions(in: context),
            server: server,
            bar: bar,
            clock: context.now,
        ).run(over: UploadClient(over: connection))
        bar.finish()
        result.showsCode = qr ?? context.terminal.style.isColoured
        try context.show(result, json: output.json)
        return PublishOutcome(
            of: result.released,
            file: build.path,
            findings: result.findings,
        )
    }

    private func anchors(in context: CommandContext) -> AnchorOptions {
        anchorOptions.adding(context.environment)
    }

    /// `ota version` calls a build without a tag dev.
    private var givenTag: String? { tag == VersionFacts.development ? nil : tag.given }

    private var channelOfTag: ChannelName? {
        givenTag.flatMap { try? VersionTag(TagName($0)) }
            .flatMap { ChannelName($0.version.channel) }
    }

    private func publishOptions(in context: CommandContext) throws -> PublishOptions {
        var options = PublishOptions(publisher: context.actor, date: context.now())
        options.channel = channel ?? channelOfTag ?? .stable
        options.notes =
            try notes.map { try TextInput.read($0, limit: PublishOptions.notesLimit) } ?? ""
        options.tag = givenTag
        options.commit = commit.given
        options.origin = originOptions.origin(in: context.environment)
        options.allowsOtherVersion = allowVersionMismatch
        options.replace = replace
        options.isDryRun = dryRun
        return options
    }
}

extension BaseURL: TypedValue {
    init(typed text: String) throws {
        try self.init(text)
    }
}
