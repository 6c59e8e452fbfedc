/// Whether a build installs; the raw values are a JSON contract.
package enum Verdict: String, Codable, Sendable, CaseIterable {
    case installs
    case blocked
    /// Something that is not known here decides: usually which device it is.
    case unknown
}

/// A verdict with the findings that it depends on.
package struct DeviceVerdict: Codable, Equatable, Sendable {
    package let verdict: Verdict
    /// Every finding that concerns the device, those that block first.
    package internal(set) var findings: [Finding]

    package init(verdict: Verdict, findings: [Finding]) {
        self.verdict = verdict
        self.findings = findings
    }

    /// The findings that make the verdict ``Verdict/blocked``.
    package var reasons: [Finding] { findings.filter { $0.severity == .blocks } }
}
