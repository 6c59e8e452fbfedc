import ArgumentParser
import Foundation
import Inspection

/// How findings are printed.
enum FindingsFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, github, junit
}

/// What a validation came to.
enum ValidationOutcome {
    case judged(InspectionReport, DeviceVerdict)
    case unreadable(UnreadableArchive)
}

/// A validation in each of its formats.
struct ValidationReport {
    let file: String
    let outcome: ValidationOutcome
    let date: Date

    var findings: [Finding] { verdict.findings }

    private var verdict: DeviceVerdict {
        switch outcome {
        case .judged(_, let verdict): verdict
        case .unreadable(let archive): archive.verdict
        }
    }

    func text(_ format: FindingsFormat, style: Style) throws -> String {
        switch format {
        case .text: humanText(style: style)
        case .json: try JSONText.encode(document)
        case .github: GitHubAnnotations(file: file, findings: findings).text
        case .junit: JUnitReport(file: file, findings: findings).text
        }
    }

    private var document: ValidationDocument {
        switch outcome {
        case .judged(let report, let verdict):
            ValidationDocument(verdict, installsUntil: report.installsUntil)
        case .unreadable(let archive):
            ValidationDocument(archive)
        }
    }

    private func humanText(style: Style) -> String {
        let text = FindingsText(style: style)
        var parts: [String] = []
        var until: Date?
        if case .judged(let report, _) = outcome {
            parts.append(text.heading(report))
            until = report.installsUntil
        }
        if !findings.isEmpty { parts.append(text.list(findings)) }
        parts.append(text.verdict(verdict.verdict, installsUntil: until, at: date))
        return parts.joined(separator: "\n\n")
    }
}
