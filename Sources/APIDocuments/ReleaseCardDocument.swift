package import Bundles
package import Foundation
package import Inspection
package import Releases

/// A release with its current state.
package struct ReleaseCardDocument: Codable, Equatable, Sendable {
    /// The profile with which the app is signed.
    package struct Profile: Codable, Equatable, Sendable {
        package let name: String
        package let type: ProfileKind
        @OrNull package var devices: Int?
    }

    package struct Withdrawal: Codable, Equatable, Sendable {
        package let date: Date
        package let by, reason: String
    }

    package var schema = 1
    package let release: ReleaseEntry
    package let verdict: Verdict
    @OrNull package var installsUntil: Date?
    @OrNull package var installsUntilBecause: ExpiryDocument?
    package let devices: RegisterCount
    package let findings: [FindingDocument]
    @OrNull package var profile: Profile?
    @OrNull package var withdrawal: Withdrawal?

    package init(
        _ release: Release,
        in app: AppRecord,
        report: InspectionReport,
        verdicts: RegisterVerdicts,
        at date: Date,
    ) {
        let judged = report.verdict(at: date)
        let expiry = report.expiries.first
        self.release = ReleaseEntry(release, in: app)
        verdict = judged.verdict
        installsUntil = expiry?.date
        installsUntilBecause = expiry.map(ExpiryDocument.init)
        devices = RegisterCount(verdicts)
        findings = judged.findings.map { FindingDocument($0) }
        profile = report.profile.map {
            Profile(name: $0.name, type: $0.type, devices: $0.devices?.count)
        }
        withdrawal = release.withdrawal.map {
            Withdrawal(date: $0.date, by: $0.actor, reason: $0.reason)
        }
    }

    /// Sentences that say why no one can install it, now or soon.
    package func warnings(at date: Date) -> [String] {
        var warnings = findings.map(\.finding).filter { $0.severity == .blocks }.map {
            Wording.sentence($0.message)
        }
        if let expiry, Wording.days(from: date, to: expiry.date) <= Self.soon {
            warnings.append(expiry.sentence(at: date))
        }
        return warnings
    }

    /// The number of days before an expiry from which on it is a warning.
    private static let soon = 30

    package var expiry: Expiry? {
        guard let installsUntil, let installsUntilBecause else { return nil }
        return installsUntilBecause.expiry(on: installsUntil)
    }
}
