import Bundles
import Bytes

import Essentials

/// Findings that depend on the date; computed from a report, for any date.
enum ExpiryRules {
    /// The admin is warned this many seconds before the expiry.
    private static let notice: TimeInterval = 30 * 86_400

    static func findings(in report: InspectionReport, at date: Date) -> [Finding] {
        var reported: Set<String> = []
        return report.bundles.flatMap { bundle -> [Finding] in
            let place = bundle.profilePlace
            let own = bundle.profile.map { validity(of: $0, at: place, on: date) } ?? []
            let ends =
                bundle.signers.isEmpty
                ? bundle.profile.map { certificates(of: $0, at: place, date) } ?? []
                : signers(of: bundle, on: date)
            // One certificate may sign the app and its nested bundles; report it once.
            return own + ends.filter { reported.insert($0.message).inserted }
        }
    }

    private static func validity(
        of profile: ProfileSummary,
        at place: String,
        on date: Date,
    ) -> [Finding] {
        var named: String { "The profile \(quoted: profile.name)" }
        if date >= profile.expires {
            return [
                Rule.profileExpired.finding(
                    "\(named) expired on \(profile.expires.day).",
                    at: place,
                )
            ]
        }
        if date < profile.created {
            return [
                Rule.profileNotYetValid.inference(
                    "\(named) was created on \(profile.created.day), after \(date.day).",
                    at: place,
                )
            ]
        }
        guard profile.expires.timeIntervalSince(date) <= notice else { return [] }
        return [
            Rule.profileExpiresSoon.finding(
                "\(named) expires on \(profile.expires.day), \(profile.expires.distance(from: date)).",
                at: place,
            )
        ]
    }

    /// The certificates of the signature's chain; iOS checks the dates of all but the root.
    private static func signers(
        of bundle: InspectionReport.SignedBundle,
        on date: Date,
    ) -> [Finding] {
        let place = bundle.signature?.path ?? bundle.path
        let findings = bundle.signers.enumerated().compactMap { index, certificate -> Finding? in
            // Formatted only when needed: most certificates are valid.
            var named: String {
                index == 0
                    ? "The code is signed with the certificate \(quoted: certificate.name), which"
                    : "The authority \(quoted: certificate.name), which issued the signer's "
                        + "certificate,"
            }
            if date >= certificate.expires {
                return Rule.certificateExpired.finding(
                    "\(named) expired on \(certificate.expires.day).",
                    at: place,
                )
            }
            if date < certificate.begins {
                return Rule.certificateNotYetValid.finding(
                    "\(named) is valid only from \(certificate.begins.day), after \(date.day).",
                    at: place,
                )
            }
            guard certificate.expires.timeIntervalSince(date) <= notice else { return nil }
            return Rule.certificateExpiresSoon.finding(
                "\(named) expires on \(certificate.expires.day), "
                    + "\(certificate.expires.distance(from: date)).",
                at: place,
            )
        }
        // The first blocking finding is enough: a new certificate comes with a valid authority.
        return findings.first { $0.severity == .blocks }.map { [$0] } ?? findings
    }

    /// When no signer is proven, any of the profile's certificates may have signed, so the one that
    /// expires last counts.
    private static func certificates(
        of profile: ProfileSummary,
        at place: String,
        _ date: Date,
    ) -> [Finding] {
        guard let last = profile.certificates.max(by: { $0.expires < $1.expires }) else {
            return []
        }
        if date >= last.expires {
            let which = profile.certificates.count == 1 ? "The" : "The last"
            return [
                Rule.certificateExpired.finding(
                    "\(which) certificate that the profile allows, \(quoted: last.name), expired "
                        + "on \(last.expires.day).",
                    at: place,
                )
            ]
        }
        let expired = profile.certificates.filter { date >= $0.expires }.map {
            Rule.certificateExpired.finding(
                "The profile allows the certificate \(quoted: $0.name), which expired on "
                    + "\($0.expires.day); another one of the profile is valid.",
                at: place,
                severity: .notes,
            )
        }
        guard last.expires.timeIntervalSince(date) <= notice else { return expired }
        return expired + [
            Rule.certificateExpiresSoon.finding(
                "The certificate \(quoted: last.name) expires on \(last.expires.day), "
                    + "\(last.expires.distance(from: date)).",
                at: place,
            )
        ]
    }
}

extension Date {
    /// The day in UTC, in English on every machine: `16 February 2027`.
    var day: String {
        let text = formatted(.iso8601.year().month().day())
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, Self.monthNames.indices.contains(parts[1] - 1) else { return text }
        return "\(parts[2]) \(Self.monthNames[parts[1] - 1]) \(parts[0])"
    }

    private static let monthNames = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]
}

extension Rule {
    static let datedProfile = [profileExpired, profileExpiresSoon, profileNotYetValid]
    static let certificate = [
        certificateExpired, certificateExpiresSoon, certificateNotYetValid,
    ]

    fileprivate static let profileExpired = Rule(
        "profile.expired",
        .blocks,
        "The provisioning profile has expired",
        fix: "Renew the profile on Apple's developer site, export again with it and publish the "
            + "new build.",
        appleCode: "0xe8008011",
        causes: [.profileExpired],
        isDated: true,
    )
    fileprivate static let profileExpiresSoon = Rule(
        "profile.expires-soon",
        .warns,
        "The provisioning profile expires soon",
        fix: "Renew the profile on Apple's developer site and publish a build with it before "
            + "that day; after it, installed copies no longer open.",
        isDated: true,
    )
    fileprivate static let profileNotYetValid = Rule(
        "profile.not-yet-valid",
        .warns,
        "The provisioning profile was created in the future",
        fix: "Check the clock of this machine and of the one that created the profile.",
        isDated: true,
    )
    fileprivate static let certificateExpired = Rule(
        "certificate.expired",
        .blocks,
        "The signing certificate has expired",
        fix: "Create a new certificate of the same kind, select it in the profile and export "
            + "again.",
        appleCode: "0xe8008018",
        causes: [.certificateExpired, .intermediateCertificateMissing],
        isDated: true,
    )
    fileprivate static let certificateNotYetValid = Rule(
        "certificate.not-yet-valid",
        .blocks,
        "A certificate of the signature is not valid yet",
        fix: "Check the clock of this machine and of the one that issued the certificate.",
        appleCode: "0xe8008018",
        causes: [.certificateExpired],
        isDated: true,
    )
    fileprivate static let certificateExpiresSoon = Rule(
        "certificate.expires-soon",
        .warns,
        "The signing certificate expires soon",
        fix: "Create a new certificate of the same kind, select it in the profile and publish a "
            + "build signed with it before that day.",
        isDated: true,
    )
}
