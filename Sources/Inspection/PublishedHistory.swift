/// What of a store a new build is compared with; judged once, when the build is published.
package struct PublishedHistory: Sendable {
    /// What a channel offers before the new build does.
    package struct Offer: Sendable {
        /// Such as `stable`.
        package let channel: String
        /// As it was judged when it was published.
        package let report: InspectionReport

        package init(channel: String, report: InspectionReport) {
            self.channel = channel
            self.report = report
        }
    }

    /// Nil for the first build of a channel.
    package let offer: Offer?
    /// The reports of other apps' builds whose identifiers may be the new build's.
    package let others: [InspectionReport]
    /// The devices in use.
    package let devices: [DeviceFacts]

    package init(offer: Offer?, others: [InspectionReport] = [], devices: [DeviceFacts] = []) {
        self.offer = offer
        self.others = others
        self.devices = devices
    }
}

extension InspectionReport {
    /// What `history` says of the build, the worst first; of the very same build nothing.
    package func findings(against history: PublishedHistory) -> [Finding] {
        Self.ranked(HistoryRules.findings(in: self, against: history))
    }

    /// The report with what `history` says of the build; of the very same build it says nothing.
    package func judged(against history: PublishedHistory) -> InspectionReport {
        let added = findings(against: history)
        guard !added.isEmpty else { return self }
        return InspectionReport(
            identity: identity,
            profile: profile,
            signature: signature,
            nested: nested,
            findings: Self.ranked(findings + added),
            inspected: inspected,
            installsUntil: installsUntil,
        )
    }
}
