import Inspection

/// Findings as workflow commands, which GitHub shows beside a run.
///
/// Source: "Workflow commands for GitHub Actions", setting a message; `%`, CR and LF are escaped,
/// and in properties `:` and `,` as well.
struct GitHubAnnotations {
    let file: String
    let findings: [Finding]

    var text: String {
        guard !findings.isEmpty else { return "::notice::\(escaped(file)) has no findings" }
        return findings.map { finding in
            let command =
                switch finding.severity {
                case .blocks: "error"
                case .warns: "warning"
                case .notes: "notice"
                }
            let message = "\(finding.message) \(finding.mend) (\(finding.place))"
            return "::\(command) file=\(property(file)),title=\(property(finding.id))"
                + "::\(escaped(message))"
        }
        .joined(separator: "\n")
    }

    private func escaped(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    private func property(_ text: String) -> String {
        escaped(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
