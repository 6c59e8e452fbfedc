/// The part of a store with which a new build is compared when it is published.
package struct PublishedHistory: Sendable {
    /// The build that a channel offers before the new one.
    package struct Offer: Sendable {
        /// The channel's name, such as `stable`.
        package let channel: String
        /// The report from when it was published.
        package let report: InspectionReport

        package init(channel: String, report: InspectionReport) {
            self.channel = channel
            self.report = report
        }
    }

    /// Nil for the first build of a channel.
    package let offer: Offer?
    /// The reports of other apps' builds that may have one of the new build's identifiers.
    package let others: [InspectionReport]
    /// The devices of the testers.
    package let devices: [DeviceFacts]

    package init(offer: Offer?, others: [InspectionReport] = [], devices: [DeviceFacts] = []) {
        self.offer = offer
        self.others = others
        self.devices = devices
    }
}

extension InspectionReport {
    /// The findings from comparing the build with `history`, the worst first; none when the channel
    /// offers the same build.
    package func findings(against history: PublishedHistory) -> [Finding] {
        Self.ranked(HistoryRules.findings(in: self, against: history))
    }

    /// The report with the findings of ``findings(against:)`` added.
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
