/// Whether a build installs; the raw values are part of the JSON format.
package enum Verdict: String, Codable, Sendable, CaseIterable {
    case installs
    case blocked
    /// It depends on an unknown fact, usually on which device it is.
    case unknown
}

/// A verdict with the findings behind it.
package struct DeviceVerdict: Codable, Equatable, Sendable {
    package let verdict: Verdict
    /// The findings that concern the device, those that block first.
    package internal(set) var findings: [Finding]

    package init(verdict: Verdict, findings: [Finding]) {
        self.verdict = verdict
        self.findings = findings
    }

    /// The findings that make the verdict ``Verdict/blocked``.
    package var reasons: [Finding] { findings.filter { $0.severity == .blocks } }
}
