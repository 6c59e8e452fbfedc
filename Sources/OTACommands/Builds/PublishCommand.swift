import Administration
import ArgumentParser
import Cryptography
import Foundation
import Inspection
import OTAClient
import OTAServer
import Pages
import Publishing
import Releases
import Store

struct PublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Validate a build, store it and point a channel at it.",
        discussion: """
            Refuses what would install on no device, and says why. The same bytes again change \
            nothing; other bytes under the same version and build are refused without --replace.
            Example:
              ota publish build.ipa --base-url https://ota.example.com --notes CHANGES.md
            To a running server it goes in pieces, on from where a lost connection stopped it:
              ota publish build.ipa --server https://ota.example.com --token-file token
            With --export it writes a folder for any HTTPS host instead:
              ota publish build.ipa --export site --base-url https://example.com/browsey
            """,
    )

    @Argument(help: "The build.")
    var build: BuildFile

    @Option(help: "The channel that offers it from now on: a-z, 0-9 and hyphens.")
    var channel: ChannelName = .stable

    @Option(help: "Release notes, Markdown: a file, or - for standard input.")
    var notes: String?

    @Option(help: "The git tag that it was built from; v1.2.3 takes a build of version 1.2.3 only.")
    var tag: String?

    @Option(help: "The git commit that it was built from.")
    var commit: String?

    @Flag(help: "Publish although the build states another version than the tag.")
    var allowVersionMismatch = false

    @Flag(help: "Exchange the bytes of a release of the same version and build.")
    var replace = false

    @Flag(help: "Do everything but storing.")
    var dryRun = false

    @Option(help: "Write App.ipa, manifest.plist, install.html and icons into this folder instead.")
    var export: String?

    @Option(help: "Where testers reach the server or the exported folder; https. Remembered.")
    var baseURL: BaseURL?

    @Flag(inversion: .prefixedNo, help: "Print the page's QR code; the default on a terminal.")
    var qr: Bool?

    @OptionGroup var originOptions: OriginOptions
    @OptionGroup var anchorOptions: AnchorOptions
    @OptionGroup var target: TargetOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard export == nil || baseURL != nil else {
            throw ValidationError("--export needs --base-url, the address the folder will have")
        }
        guard commit?.isEmpty != false || (commit?.allSatisfy(\.isHexDigit) == true) else {
            throw ValidationError("--commit takes the hexadecimal digits of a commit")
        }
        guard export == nil || !replace else {
            throw ValidationError("--replace exchanges a release of the store; --export has none")
        }
        guard target.server == nil || (export == nil && baseURL == nil && !dryRun) else {
            throw ValidationError(
                "--server publishes there; --export, --base-url and --dry-run belong to this machine"
            )
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        let isLocal = export != nil || dryRun
        do {
            if !isLocal, let server = target.serverURL(in: context) {
                try await publish(on: server, in: context)
            } else {
                try publish(in: context)
            }
        } catch PublishRefusal.blocked(let report) where !output.json {
            let style = context.terminal.errorStyle
            context.terminal.remark(FindingsText(style: style).list(report.findings) + "\n")
            throw CommandFailure(
                id: PublishRefusal.blocked(report).id,
                message: "the build installs on no device, so it is not published",
                place: build.path,
                mend: "mend what blocks, above, and build again",
            )
        }
    }

    private func publish(in context: CommandContext) throws {
        let options = try publishOptions(in: context)
        let source = try build.source()
        let bar = ProgressBar(on: context.terminal, isQuiet: output.json)
        defer { bar.finish() }
        if let export, let baseURL {
            let bundle = BundleExport(folder: export, base: baseURL, isDryRun: dryRun)
            let result = try bundle.write(
                source,
                options: options,
                trusting: anchorOptions.anchors(),
            ) { bar.update($0.title, fraction: $0.fraction) }
            bar.finish()
            return try context.show(result, json: output.json)
        }
        let store = try target.storeOptions.openOrCreate(in: context)
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
            addresses: try addresses(of: published, in: store, links: links, at: options.date),
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
    }

    private func publish(on server: String, in context: CommandContext) async throws {
        let connection = try target.connection(to: server, in: context)
        let bar = ProgressBar(on: context.terminal, isQuiet: output.json)
        defer { bar.finish() }
        var result = try await RemotePublish(
            build: build,
            anchors: try anchorOptions.anchors(),
            options: try publishOptions(in: context),
            server: server,
            bar: bar,
            clock: context.now,
        ).run(over: UploadClient(over: connection))
        bar.finish()
        result.showsCode = qr ?? context.terminal.style.isColoured
        try context.show(result, json: output.json)
    }

    private func publishOptions(in context: CommandContext) throws -> PublishOptions {
        var options = PublishOptions(publisher: context.actor, date: context.now())
        options.channel = channel
        options.notes =
            try notes.map { try TextInput.read($0, limit: PublishOptions.notesLimit) } ?? ""
        options.tag = tag.flatMap { $0.isEmpty ? nil : $0 }
        options.commit = commit.flatMap { $0.isEmpty ? nil : $0 }
        options.origin = originOptions.origin(in: context.environment)
        options.allowsOtherVersion = allowVersionMismatch
        options.replace = replace
        options.isDryRun = dryRun
        return options
    }

    private func addresses(
        of published: PublishedBuild,
        in store: OTAStore,
        links: Links,
        at date: Date,
    ) throws -> PublishResult.Addresses {
        let release = published.release
        let slug =
            published.app?.slug ?? Slug(title: release.name, identifier: release.bundleIdentifier)
        let isDefault = published.app?.defaultChannel.map { $0 == channel } ?? true
        let capability = CapabilityAuthority(key: try store.capabilityKey())
            .component(for: release, at: date)
        let folder = links.install(capability)
        return PublishResult.Addresses(
            page: links.app(slug, channel: isDefault ? nil : channel),
            manifest: folder.manifest,
            archive: folder.archive(named: release.archiveName),
        )
    }
}

extension BaseURL: ExpressibleByArgument {
    package init?(argument: String) {
        do {
            try self.init(argument)
        } catch {
            return nil
        }
    }
}

extension StoreOptions {
    /// Keeps what later commands on the same store need not be told again.
    func remember(baseURL: BaseURL?, anchors: [String], in store: OTAStore) throws {
        guard baseURL != nil || !anchors.isEmpty else { return }
        try store.changeSettings { settings in
            if let baseURL { settings.baseURL = baseURL }
            for anchor in anchors where !settings.anchors.contains(anchor) {
                settings.anchors.append(anchor)
            }
        }
    }
}
