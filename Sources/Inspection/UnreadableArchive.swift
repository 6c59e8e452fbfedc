package import Bundles
package import Problems
package import Zip

/// An archive of which no report can be made, with the findings that say why.
package struct UnreadableArchive: ReportableError, Codable, Equatable, Sendable {
    /// At least one; all of them block.
    package let findings: [Finding]

    package init(_ refusal: ZipRefusal) {
        findings = [Finding(refusal)]
    }

    package init(_ refusal: BundleRefusal) {
        findings = [Finding(refusal)]
    }

    package var verdict: DeviceVerdict { DeviceVerdict(verdict: .blocked, findings: findings) }
}

extension UnreadableArchive: CustomStringConvertible {
    package var description: String {
        findings.first?.message ?? "the archive cannot be read"
    }

    /// The rule identifier of the first finding.
    package var id: String { findings.first?.id ?? "archive.unreadable" }
    package var kind: Problem.Kind { .invalid }
    package var place: String { findings.first?.place ?? "" }
    package var fix: String { findings.first?.fix ?? "" }
}
