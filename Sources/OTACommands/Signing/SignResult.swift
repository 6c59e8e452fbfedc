import APIDocuments
import Bundles
import Bytes
import Cryptography
import Foundation
import Inspection
import Problems
import Releases
import Signing

/// What was signed and with what, or why the result was not kept.
struct SignResult: CommandResult {
    let build: SignedBuild
    let output: String
    let width: Int

    var document: SignDocument {
        SignDocument(
            output: build.installs ? output : nil,
            sha256: build.sha256.description,
            size: build.size,
            bundles: build.bundles.map(SignDocument.Bundle.init),
            findings: build.report.findings.map { FindingDocument($0) }
                + NotInstallable(build).deviceFindings,
        )
    }

    func text(style: Style) -> String {
        let text = FindingsText(style: style)
        var parts = [text.heading(build.report), table(style)]
        let dropped = dropped(style)
        if !dropped.isEmpty { parts.append(dropped) }
        if build.installs {
            let notable = build.report.findings.filter { $0.severity != .notes }
            if !notable.isEmpty { parts.append(text.list(notable)) }
            parts.append(devices(style))
            parts.append(
                style.good("Signed") + " \(output), \(Wording.size(build.size)).".printable
            )
        } else {
            let blocking = build.report.findings.filter { $0.severity == .blocks }
            parts.append(text.list(blocking + (build.refused.first?.reasons ?? [])))
            parts.append(
                style.bad("Not signed:") + " the result would not install; nothing was written."
            )
        }
        return parts.joined(separator: "\n\n")
    }

    private func table(_ style: Style) -> String {
        var table = Table(["BUNDLE", "IDENTIFIER", "PROFILE", "EXPIRES"])
        let root = build.bundles.first?.path
        for bundle in build.bundles {
            let inside = root.flatMap { bundle.path.relative(to: $0) } ?? bundle.path.name
            table.add([
                inside.text, bundle.identifier, bundle.profile?.facts.name ?? "–",
                bundle.profile.map { Wording.day($0.facts.expires) } ?? "",
            ])
        }
        return table.text(style: style)
    }

    private func dropped(_ style: Style) -> String {
        build.bundles.flatMap { bundle in
            (bundle.entitlements?.dropped ?? []).map { entitlement in
                style.faint("dropped ") + entitlement.key.printable + " of "
                    + "\(bundle.identifier): \(entitlement.reason.explanation)".printable
            }
        }
        .joined(separator: "\n")
    }

    private func devices(_ style: Style) -> String {
        let refused = build.refused
        guard let devices = build.report.profile?.devices else {
            return "Installs on any device."
        }
        guard !refused.isEmpty else {
            return "Installs on \(Wording.count(devices.count, "device")) of the profile."
        }
        let reasons = refused.flatMap(\.reasons).map(\.message)
        let first = reasons.first.map { " " + $0.printable } ?? ""
        return style.warning(
            "Installs on \((devices.count - refused.count).grouped) of "
                + "\(Wording.count(devices.count, "device")) of the app's profile."
        ) + first
    }
}

/// Why a signed build was not kept.
struct NotInstallable {
    let build: SignedBuild

    init(_ build: SignedBuild) {
        self.build = build
    }

    /// Why individual devices cannot install it: each kind once, with the number of devices.
    var deviceFindings: [FindingDocument] {
        var counts: [(finding: Finding, count: Int)] = []
        for reason in build.refused.flatMap(\.reasons) where reason.devices != nil {
            if let index = counts.firstIndex(where: {
                $0.finding.id == reason.id && $0.finding.place == reason.place
            }) {
                counts[index].count += 1
            } else {
                counts.append((reason, 1))
            }
        }
        return counts.map { FindingDocument($0.finding, count: $0.count) }
    }

    var problem: Problem {
        let reasons = build.report.findings.filter { $0.severity == .blocks }
        let first = reasons.first ?? build.refused.first?.reasons.first
        return Problem(
            id: "sign.not-installable",
            kind: .invalid,
            message: "the signed build would not install: \(first?.message ?? "")",
            place: first?.place ?? "",
            fix: first?.fix ?? "",
        )
    }
}
