import APIDocuments
import Administration
import Foundation
import Identifiers
import Inspection
import Releases

/// Formats the verdicts for all devices for people.
struct RegisterText {
    let document: RegisterDocument
    let date: Date
    let style: Style

    /// The build's own findings, the devices, what blocks them, and the summary.
    var parts: [String] {
        let text = FindingsText(style: style)
        let findings = document.general.findings.map(\.finding)
        let list = findings.isEmpty ? [] : [text.list(findings)]
        guard !document.devices.isEmpty else {
            return list + [
                text.verdict(document.general.verdict, expiry: expiry, at: date),
                "No devices yet: ota devices add UDID",
            ]
        }
        let reasons = document.reasons.isEmpty ? [] : [text.list(document.reasons)]
        let isOver = expiry.map { $0.date <= date } ?? false
        let isOfUse = document.count.canInstall > 0 || isOver
        let forecast = isOfUse ? expiry?.sentence(at: date) : nil
        return list + [table] + reasons + [[summary, forecast].lines]
    }

    private var expiry: Expiry? {
        guard let until = document.general.installsUntil,
            let date = try? Date(until, strategy: .iso8601)
        else { return nil }
        return document.general.installsUntilBecause?.expiry(on: date)
    }

    private var summary: String {
        let sentence = document.count.sentence
        return switch document.count.verdict {
        case .installs: style.good(sentence)
        case .blocked: style.bad(sentence)
        case .unknown, nil: style.warning(sentence)
        }
    }

    private var table: String {
        var table = Table(["DEVICE", "MODEL", "OS", "VERDICT", "WHY"])
        for entry in document.devices {
            let isGood = entry.verdict == .installs
            let paint = isGood ? style.good : style.bad
            let paintReason = isGood ? style.faint : style.unchanged
            table.add([
                Table.Cell(entry.name, paint: style.strong),
                Table.Cell(entry.model ?? entry.family.title),
                Table.Cell(entry.os ?? "–"),
                Table.Cell(entry.verdict.rawValue, paint: paint),
                Table.Cell(entry.why, paint: paintReason),
            ])
        }
        return table.text(style: style)
    }
}
