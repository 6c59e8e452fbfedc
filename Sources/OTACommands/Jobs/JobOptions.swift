import ArgumentParser
import Problems

/// Where a CI job shows the result of a publish.
struct JobOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Append OTA_URL, OTA_RELEASE and others as NAME=value lines to this file: \
            $GITHUB_OUTPUT, or a dotenv report.
            """,
            valueName: "file",
        )
    )
    var outputs: String?

    @Option(
        help: ArgumentHelp(
            "Append a Markdown summary to this file, such as $GITHUB_STEP_SUMMARY.",
            valueName: "file",
        )
    )
    var summary: String?

    @Option(
        help: ArgumentHelp(
            "Write the findings and any refusal to this JUnit file.",
            valueName: "file",
        )
    )
    var junit: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Print GitHub annotations on standard error; default: only in GitHub jobs.",
    )
    var annotations: Bool?

    /// Whether any file for the job was requested.
    var isGiven: Bool { outputs != nil || summary != nil || junit != nil }

    /// Checks that the files can be written, before anything is published.
    ///
    /// - Throws: ``Problem`` for a file that cannot be written.
    func prepare() throws {
        for path in [outputs, summary, junit].compactMap(\.given) {
            try OutputFile.append([], to: path)
        }
    }

    /// Writes everything that was requested.
    ///
    /// - Throws: ``Problem`` for a file that cannot be written.
    func tell(_ outcome: PublishOutcome, json: Bool, in context: CommandContext) throws {
        if annotations ?? (!json && CIJob(context.environment)?.service == .github) {
            let text = GitHubAnnotations(outcome).lines
            if !text.isEmpty { context.terminal.remark(text.joined(separator: "\n")) }
        }
        if let junit = junit.given {
            try OutputFile.write(Array((JUnitReport(outcome).text + "\n").utf8), to: junit)
        }
        if let summary = summary.given {
            try OutputFile.append(Array(PublishSummary(outcome).markdown.utf8), to: summary)
        }
        if let outputs = outputs.given, case .success(let release) = outcome.result {
            try OutputFile.append(Array(release.outputLines.utf8), to: outputs)
        }
    }
}

extension PublishedRelease {
    /// Lines for the file that `GITHUB_OUTPUT` names, and for a GitLab dotenv report.
    ///
    /// Each value stays on one line: a server's answer cannot add line breaks of its own.
    var outputLines: String {
        let values = [
            ("APP", app), ("RELEASE", release), ("URL", url), ("SHA256", sha256),
            ("CREATED", "\(isCreated)"),
        ]
        return values.map { "OTA_\($0)=\($1.printable)\n" }.joined()
    }
}

extension GitHubAnnotations {
    init(_ outcome: PublishOutcome) {
        self.init(
            file: outcome.file,
            findings: outcome.findings,
            isBlocked: outcome.failure != nil,
            failure: outcome.failure,
        )
    }
}

extension JUnitReport {
    init(_ outcome: PublishOutcome) {
        self.init(
            file: outcome.file,
            findings: outcome.findings,
            isBlocked: outcome.failure != nil,
            publish: outcome,
        )
    }
}
