import ArgumentParser
import Identifiers
import Inspection
import Pages
import Problems
import Publishing
import Releases

/// `ota publish`: to a store, to a server, or as a folder; each way has its own file.
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
            A build of a pull request, on a channel that ends (`ota channels`, `ota releases link`):
              ota publish build.ipa --channel pr-12 --expires 14d
            With its dSYMs, to symbolicate its crash reports later (`ota symbolicate`):
              ota publish build.ipa --symbols App.xcarchive
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

    @Option(
        help: """
            End the channel after this time, such as 14d (1h to 365d), for builds of a pull \
            request. Publishing on the channel again with --expires moves the end.
            """
    )
    var expires: ChannelLife?

    @Option(help: "Release notes in Markdown: a file, or - for standard input.")
    var notes: String?

    @Option(
        help: """
            The git tag of the build; v1.2.3 allows only a build of version 1.2.3. An empty value or \
            dev means no tag.
            """
    )
    var tag: String?

    @Option(help: "The git commit of the build; default: from the CI job's variables.")
    var commit: String?

    @Flag(help: "Publish even if the build's version differs from the tag's.")
    var allowVersionMismatch = false

    @Flag(help: "Replace the file of an existing release with the same version and build.")
    var replace = false

    @Flag(
        help: """
            Check everything, but publish nothing. With --server, the server checks the build, and \
            then removes it.
            """
    )
    var dryRun = false

    @Option(
        help: ArgumentHelp(
            """
            Store the build's dSYMs with the release: a .dSYM, a folder or ZIP archive of dSYMs, \
            or the .xcarchive. May be repeated.
            """,
            valueName: "path",
        )
    )
    var symbols: [String] = []

    @Option(
        help: ArgumentHelp(
            "Write App.ipa, manifest.plist, install.html, help.html and icons to this folder instead.",
            valueName: "folder",
        )
    )
    var export: String?

    @Option(
        help: """
            The language of the pages of --export: de, en, es, fr, ja, ru or zh-Hans; default: en. A \
            server offers all of them.
            """
    )
    var language: Language?

    @Option(
        help: ArgumentHelp(
            """
            The https URL at which testers reach the server or the exported folder. Saved in the \
            store.
            """,
            valueName: "url",
        )
    )
    var baseURL: BaseURL?

    @Flag(
        inversion: .prefixedNo,
        help: """
            Print the QR code of the install page; default: only on a terminal.
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
        guard expires == nil || (channel != nil && channel != .stable) else {
            throw ValidationError(
                "--expires needs --channel with a channel that may end, such as pr-12"
            )
        }
        guard expires == nil || export == nil else {
            throw ValidationError(
                "--expires needs a channel in a store, so it cannot be used with --export"
            )
        }
        guard commit?.isEmpty != false || (commit?.allSatisfy(\.isHexDigit) == true) else {
            throw ValidationError("--commit must be the hexadecimal digits of a commit")
        }
        guard language == nil || export != nil else {
            throw ValidationError(
                "--language chooses the language of an exported folder, so it needs --export"
            )
        }
        guard export == nil || !replace else {
            throw ValidationError(
                "--replace changes a release in a store, so it cannot be used with --export"
            )
        }
        guard export == nil || symbols.isEmpty else {
            throw ValidationError(
                "--symbols are kept with a release in a store, so they cannot be used with --export"
            )
        }
        guard !jobOptions.isGiven || (export == nil && !dryRun) else {
            throw ValidationError(
                "--outputs, --summary and --junit report a release; --export and --dry-run create "
                    + "none"
            )
        }
        guard target.server == nil || (export == nil && baseURL == nil) else {
            throw ValidationError(
                "--export and --base-url work on this machine only, so leave out --server"
            )
        }
    }

    func run() async throws { try await run(in: .live) }

    func run(in context: CommandContext) async throws {
        try jobOptions.prepare()
        do {
            guard let outcome = try await publish(in: context) else { return }
            try jobOptions.tell(outcome, json: output.json, in: context)
        } catch {
            throw report(error, in: context)
        }
    }

    /// - Returns: nil if no release was stored, so that nothing is written for the CI job.
    private func publish(in context: CommandContext) async throws -> PublishOutcome? {
        if let export, let baseURL {
            try write(into: export, base: baseURL, in: context)
            return nil
        }
        // A dry run sends the build nowhere unless the option asks for it.
        guard !dryRun || target.server != nil, let server = target.serverURL(in: context) else {
            return try publishToStore(in: context)
        }
        return try await publish(to: server, in: context)
    }

    /// Reports a refusal to the CI job and, if the build has issues, on the terminal.
    ///
    /// If a file for the job cannot be written, the refusal is still reported.
    ///
    /// - Returns: the error with which the command ends.
    private func report(_ error: any Error, in context: CommandContext) -> any Error {
        var refusal = error
        var findings: [Finding] = []
        switch error {
        case let refused as PublishRefusal:
            guard case .blocked(let report) = refused else { break }
            findings = report.findings
            if !output.json { refusal = failure(refused, findings, in: context) }
        case let archive as UnreadableArchive: findings = archive.findings
        default: break
        }
        let outcome = PublishOutcome(refusal: refusal, file: build.path, findings: findings)
        try? jobOptions.tell(outcome, json: output.json, in: context)
        return refusal
    }

    /// Lists what blocks the build, and returns the error that follows the list.
    private func failure(
        _ refusal: PublishRefusal,
        _ findings: [Finding],
        in context: CommandContext,
    ) -> Problem {
        let text = FindingsText(style: context.terminal.errorStyle)
        context.terminal.remark(text.list(findings) + "\n")
        return Problem(
            id: refusal.id,
            kind: refusal.kind,
            message: "the build cannot be installed on any device, so it was not published",
            place: build.path,
            // The log of a CI job shows the last line first.
            fix: findings.first { $0.severity == .blocks }.map {
                "fix the issues above and build again, beginning with \($0.id): \($0.message)"
            } ?? "fix the issues above and build again",
        )
    }
}

extension BaseURL: TypedValue {
    init(typed text: String) throws {
        try self.init(text)
    }
}
