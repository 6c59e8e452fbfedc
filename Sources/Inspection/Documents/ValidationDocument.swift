/// What `ota validate --json` prints: the verdict and the findings that it depends on.
package struct ValidationDocument: Codable, Equatable, Sendable {
    private var schema = 1
    package let verdict: Verdict
    @OrNull package var installsUntil: String?
    @OrNull package var installsUntilBecause: ExpiryDocument?
    package let findings: [FindingDocument]

    /// With `udids` a finding names the devices that it concerns, not only how many they are.
    package init(_ judgement: DeviceVerdict, expiry: Expiry? = nil, udids: Bool = false) {
        verdict = judgement.verdict
        installsUntil = expiry?.date.iso8601
        installsUntilBecause = expiry.map(ExpiryDocument.init)
        findings = judgement.findings.map { FindingDocument($0, udids: udids) }
    }

    package init(_ refusal: UnreadableArchive) {
        self.init(refusal.verdict)
    }
}
