package import Essentials

/// Everything that was found out about one IPA; stored with its release.
///
/// What depends on the date can be judged again from the dates in here: see
/// ``findings(at:)`` and ``verdict(for:at:)``.
package struct InspectionReport: Codable, Equatable, Sendable {
    package let identity: AppIdentity
    /// The app's own profile; nil when there is none or it cannot be read.
    package let profile: ProfileSummary?
    /// The signature of the app's own executable; nil when there is none, and in reports from before
    /// signatures were read.
    package let signature: SignatureSummary?
    /// The bundles inside the app, depth first.
    package let nested: [NestedBundle]
    /// As judged at ``inspected``, those that block first.
    package let findings: [Finding]
    package let inspected: Date
    /// The earliest moment at which something in the bundle expires; nil when nothing does.
    package let installsUntil: Date?

    package init(
        identity: AppIdentity,
        profile: ProfileSummary?,
        signature: SignatureSummary? = nil,
        nested: [NestedBundle],
        findings: [Finding],
        inspected: Date,
        installsUntil: Date?,
    ) {
        self.identity = identity
        self.profile = profile
        self.signature = signature
        self.nested = nested
        self.findings = findings
        self.inspected = inspected
        self.installsUntil = installsUntil
    }
}
