package import Essentials

/// The result of inspecting one IPA; stored with its release.
///
/// Findings that depend on the date can be computed again from the dates in it: see ``findings(at:)`` and
/// ``verdict(for:at:)``.
package struct InspectionReport: Codable, Equatable, Sendable {
    package let identity: AppIdentity
    /// The app's own profile; nil when there is none or it cannot be read.
    package let profile: ProfileSummary?
    /// The signature of the app's own executable; nil when there is none, and in reports from before
    /// `ota` read signatures.
    package let signature: SignatureSummary?
    /// The bundles nested in the app, depth first.
    package let nested: [NestedBundle]
    /// The findings at ``inspected``, those that block first.
    package let findings: [Finding]
    package let inspected: Date
    /// The earliest date at which a profile or certificate in the bundle expires; nil when none does.
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
