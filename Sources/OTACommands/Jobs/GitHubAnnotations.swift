import APIDocuments
import Administration
import Inspection
import Problems
import Releases

/// Findings as workflow commands, which GitHub shows next to a run.
///
/// Source: "Workflow commands for GitHub Actions", setting a message; `%` is escaped, in properties `:` and
/// `,` as well, and `%0A` is a line break. Untrusted text cannot add line breaks of its own.
struct GitHubAnnotations {
    let file: String
    let findings: [Finding]
    /// Whether the build as a whole is blocked; otherwise what blocks individual devices is a warning.
    let isBlocked: Bool
    /// The devices in use, if the verdict is for all of them.
    var verdicts: RegisterVerdicts?
    /// Why the command with these findings failed.
    var failure: Problem?

    var text: String {
        let all = lines
        guard !all.isEmpty else { return "::notice::\(escaped("\(file) has no findings"))" }
        return all.joined(separator: "\n")
    }

    /// One for each finding, device and failure.
    var lines: [String] { findings.map(annotation) + deviceLines + failureLines }

    private func annotation(_ finding: Finding) -> String {
        line(command(for: finding.severity), title: finding.id, finding.lines)
    }

    /// One for each device that cannot install the build; errors only if none can.
    private var deviceLines: [String] {
        guard let verdicts else { return [] }
        let command = verdicts.canInstall == 0 ? "error" : "warning"
        let blocked = verdicts.namelessEntries.filter { $0.entry.judged.verdict == .blocked }
            .map { name, entry in
                line(
                    command,
                    title: "\(name) cannot install it",
                    entry.judged.reasons.flatMap(\.lines),
                )
            }
        return blocked + [line("notice", title: "devices", [RegisterCount(verdicts).sentence])]
    }

    private var failureLines: [String] {
        guard let failure else { return [] }
        return [line("error", title: failure.id, [failure.message] + failure.labelledLines)]
    }

    private func line(_ command: String, title: String, _ lines: [String]) -> String {
        let message = lines.map { escaped($0) }.joined(separator: "%0A")
        return "::\(command) file=\(property(file)),title=\(property(title))::\(message)"
    }

    private func command(for severity: Severity) -> String {
        switch severity {
        case .blocks: isBlocked ? "error" : "warning"
        case .warns: "warning"
        case .notes: "notice"
        }
    }

    private func escaped(_ text: String) -> String {
        text.printable.replacingScalars { $0 == "%" ? "%25" : nil }
    }

    private func property(_ text: String) -> String {
        escaped(text).replacingScalars { scalar in
            switch scalar {
            case ":": "%3A"
            case ",": "%2C"
            default: nil
            }
        }
    }
}

extension GitHubAnnotations {
    /// Why a command without findings failed.
    init(failure: Problem, file: String) {
        self.init(file: file, findings: [], isBlocked: true, failure: failure)
    }
}

extension Finding {
    /// Everything about the finding, for a report with plain lines.
    var lines: [String] {
        [
            message, "At: \(place)", appleCode.map { "Apple's code: \($0)" },
            phone.map { "On the phone: \($0.sentence)" }, "Fix: \(fix)",
        ].compactMap(\.self)
    }
}
