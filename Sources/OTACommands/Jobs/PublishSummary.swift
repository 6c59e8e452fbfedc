import APIDocuments
import Administration
import Bytes
import Inspection
import Problems

/// The result of a publish, as Markdown for the page of a CI run.
///
/// Names come from a property list and messages from a server: none of them may be read as markup.
struct PublishSummary {
    private let outcome: PublishOutcome

    init(_ outcome: PublishOutcome) {
        self.outcome = outcome
    }

    /// Ends with an empty line, so that summaries may follow each other.
    var markdown: String {
        var parts: [String]
        switch outcome.result {
        case .success(let release): parts = lines(release)
        case .failure(let failure): parts = lines(failure)
        }
        if !outcome.findings.isEmpty { parts.append(table(outcome.findings)) }
        return parts.joined(separator: "\n\n") + "\n\n"
    }

    private func lines(_ release: PublishedRelease) -> [String] {
        let done = release.isCreated ? "is published" : "was already published"
        var rows = [
            ("App", release.app.markdown), ("Release", release.release.markdown),
            ("Channel", release.channel.markdown),
        ]
        if let tag = release.tag { rows.append(("Tag", tag.markdown)) }
        if let commit = release.commit { rows.append(("Commit", commit.markdown)) }
        rows.append(("SHA-256", release.sha256.markdown))
        return [
            "### \(release.name.markdown) \(release.release.markdown) \(done)",
            "**[Open the install page](<\(release.url.linkTarget)>)** on the device, or open it "
                + "here and scan its QR code.",
        ] + release.outlook.map(\.markdown) + [
            "| | |\n|---|---|\n" + rows.map { "| \($0) | \($1) |" }.joined(separator: "\n")
        ]
    }

    private func lines(_ failure: Problem) -> [String] {
        let name = outcome.file.split(separator: "/").last.map(String.init) ?? outcome.file
        var lines = ["### \(name.markdown) is not published", failure.message.markdown]
        if !failure.place.isEmpty { lines.append("Where: \(failure.place.markdown)") }
        if !failure.fix.isEmpty { lines.append("Fix: \(failure.fix.markdown)") }
        return lines
    }

    private func table(_ findings: [Finding]) -> String {
        let rows = findings.prefix(Self.rowLimit).map { finding in
            [finding.severity.rawValue, finding.message, finding.place, finding.fix]
                .map(\.markdown)
                .joined(separator: " | ")
        }
        let left = findings.count - rows.count
        let rest = left > 0 ? ["\nAnd \(left.grouped) more; `ota validate` lists them."] : []
        return
            (["| Severity | Finding | Where | Fix |", "|---|---|---|---|"]
            + rows.map { "| \($0) |" } + rest).joined(separator: "\n")
    }

    /// GitHub refuses a summary of more than 1 MiB.
    private static let rowLimit = 200
}
