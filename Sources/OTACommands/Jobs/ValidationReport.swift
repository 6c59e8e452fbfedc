import APIDocuments
import Administration
import ArgumentParser
import Foundation
import Inspection

/// The formats of findings.
enum FindingsFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, github, junit
}

/// The result of a validation.
enum ValidationOutcome {
    case judged(InspectionReport, DeviceVerdict)
    case unreadable(UnreadableArchive)

    var verdict: DeviceVerdict {
        switch self {
        case .judged(_, let verdict): verdict
        case .unreadable(let archive): archive.verdict
        }
    }

    var report: InspectionReport? {
        if case .judged(let report, _) = self { report } else { nil }
    }
}

/// The report of a validation in each of the formats.
struct ValidationReport {
    let file: String
    let outcome: ValidationOutcome
    /// The devices in use, if the verdict is for all of them.
    let verdicts: RegisterVerdicts?
    /// Whether devices are shown with their UDIDs.
    let udids: Bool
    let date: Date

    var findings: [Finding] { outcome.verdict.findings }

    func text(_ format: FindingsFormat, style: Style) throws -> String {
        switch format {
        case .text: text(style: style)
        case .json:
            if let verdicts {
                try JSONText.encode(document(verdicts))
            } else {
                try JSONText.encode(document)
            }
        case .github:
            GitHubAnnotations(
                file: file,
                findings: findings,
                isBlocked: isBlocked,
                verdicts: verdicts,
            ).text
        case .junit:
            JUnitReport(
                file: file,
                findings: findings,
                isBlocked: isBlocked,
                verdicts: verdicts,
            ).text
        }
    }

    /// Whether the build is blocked, on the given device or on all.
    var isBlocked: Bool { outcome.verdict.verdict == .blocked }

    private var document: ValidationDocument {
        ValidationDocument(
            outcome.verdict,
            expiry: outcome.report?.expiries.first,
            udids: udids,
        )
    }

    private func document(_ verdicts: RegisterVerdicts) -> RegisterDocument {
        RegisterDocument(
            outcome.verdict,
            expiry: outcome.report?.expiries.first,
            verdicts: verdicts,
            udids: udids,
        )
    }

    private func text(style: Style) -> String {
        let text = FindingsText(style: style)
        var parts = [outcome.report.map(text.heading)]
        if let verdicts {
            let register = RegisterText(document: document(verdicts), date: date, style: style)
            return (parts + register.parts).paragraphs
        }
        if !findings.isEmpty { parts.append(text.list(findings)) }
        let verdict = outcome.verdict.verdict
        parts.append(
            text.verdict(verdict, expiry: outcome.report?.expiries.first, at: date)
        )
        if verdict == .unknown {
            parts.append("Check one device with --device UDID, or all with --all-devices.")
        }
        return parts.paragraphs
    }
}

extension [String?] {
    /// The existing ones, with an empty line in between.
    var paragraphs: String { compactMap(\.self).joined(separator: "\n\n") }
}
