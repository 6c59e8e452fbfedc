/// The output of `ota validate --json`: the verdict and the findings behind it.
package struct ValidationDocument: Codable, Equatable, Sendable {
    private var schema = 1
    package let verdict: Verdict
    @OrNull package var installsUntil: String?
    @OrNull package var installsUntilBecause: ExpiryDocument?
    package let findings: [FindingDocument]

    /// With `udids`, each finding also lists the UDIDs of the affected devices.
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
