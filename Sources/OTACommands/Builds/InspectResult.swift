import Bundles
import Cryptography
import Foundation
import Identifiers
import Inspection
import Releases

/// The contents of a build: the bundles as a tree, then each of them, then the largest files.
struct InspectResult: CommandResult {
    let report: InspectionReport
    let contents: ArchiveContents
    let udids: Bool
    /// The number of columns for entitlements.
    let width: Int
    let date: Date

    var document: InspectionDocument {
        InspectionDocument(report, contents: contents, udids: udids)
    }

    func text(style: Style) -> String {
        let fields = Fields(style: style)
        let identity = report.identity
        let families = identity.families.map { DeviceFamily(name: $0)?.title ?? $0 }
        let total =
            "\(Wording.count(contents.count, "file")), \(Wording.size(contents.size)) unpacked, "
            + "\(Wording.size(contents.compressedSize)) packed"
        let head = [
            FindingsText(style: style).heading(report),
            fields.line("families", families.joined(separator: ", ")),
            fields.line("sha256", identity.sha256.description),
            fields.line("contents", total),
        ]
        let bundles = InspectedBundle.all(in: report)
        var parts = [head.joined(separator: "\n"), BundleTreeText(bundles).text(style: style)]
        parts += bundles.enumerated().map { index, bundle in
            BundleText(
                bundle: bundle,
                appSigners: index == 0 ? nil : report.signature?.signers,
                udids: udids,
                lacksTrustOnly: lacksTrustOnly,
                width: width,
                date: date,
            )
            .text(fields)
        }
        if !contents.biggest.isEmpty { parts.append(files(style)) }
        return parts.joined(separator: "\n\n")
    }

    /// Whether the only blocking finding about signatures is that no device trusts the signer.
    private var lacksTrustOnly: Bool {
        let families = ["code.", "seal.", "signature."]
        let blocking = report.findings.filter { finding in
            finding.severity == .blocks && families.contains(where: finding.id.hasPrefix)
        }
        return !blocking.isEmpty && blocking.allSatisfy { $0.id == "signature.untrusted" }
    }

    private func files(_ style: Style) -> String {
        var table = Table(["SIZE", "PACKED", "LARGEST FILES"])
        for file in contents.biggest {
            table.add([
                Wording.size(file.size), Wording.size(file.compressedSize), file.path,
            ])
        }
        return table.text(style: style)
    }
}

/// Lines with a label.
struct Fields {
    let style: Style

    func line(_ name: String, _ value: String, paint: (String) -> String = { $0 }) -> String {
        let label = name + String(repeating: " ", count: max(0, 12 - name.count))
        return "  " + style.faint(label) + paint(value.printable)
    }
}
