import Bundles
import Bytes
import Foundation
import Identifiers
import Inspection
import Releases

/// The properties that identify a release, as a list.
enum ReleaseFacts {
    static func facts(
        of release: Release,
        titled title: String,
        report: InspectionReport,
    ) -> [InstallPage.Fact] {
        var facts = [InstallPage.Fact("Identifier", release.bundleIdentifier.rawValue)]
        if title != release.name {
            facts.append(InstallPage.Fact("On the Home Screen", release.name))
        }
        facts += [
            InstallPage.Fact(
                "Published",
                Wording.moment(release.published),
                at: release.published,
            ),
            InstallPage.Fact("Size", Wording.size(release.size)),
            InstallPage.Fact("Runs on", BuildFacts.devices(release, in: .english)),
            InstallPage.Fact("SHA-256", "\(release.sha256)"),
            InstallPage.Fact("Inspected", Wording.moment(report.inspected), at: report.inspected),
        ]
        if let pin = release.pin {
            let words = "\(Wording.day(pin.date)), by \(pin.actor)"
            facts.append(InstallPage.Fact("Pinned", words + (pin.reason.map { ": \($0)" } ?? "")))
        }
        return facts
    }
}

/// One signed bundle of the build: its signature, its profile and their certificates.
struct BundleCard: Sendable {
    let path: String
    let kind: String
    let facts: [InstallPage.Fact]
    let certificates: [InstallPage.Fact]
    let hasCertificates: Bool
    let isApp: Bool

    /// Returns the app's card first, then those of its nested bundles.
    static func cards(of report: InspectionReport, at date: Date) -> [BundleCard] {
        let app = BundleCard(
            path: report.identity.path,
            kind: "App",
            identifier: report.identity.bundleIdentifier?.rawValue,
            signature: report.signature,
            profile: report.profile,
            at: date,
        )
        return [app]
            + report.nested.map {
                BundleCard(
                    path: $0.path,
                    kind: $0.kind.title,
                    identifier: $0.bundleIdentifier,
                    signature: $0.signature,
                    profile: $0.profile,
                    at: date,
                )
            }
    }

    private init(
        path: String,
        kind: String,
        identifier: String?,
        signature: SignatureSummary?,
        profile: ProfileSummary?,
        at date: Date,
    ) {
        self.path = path
        self.kind = kind
        isApp = kind == "App"
        facts =
            (identifier.map { [InstallPage.Fact("Identifier", $0)] } ?? [])
            + Self.facts(of: signature) + (profile.map { Self.facts(of: $0, at: date) } ?? [])
        certificates = Self.certificates(signature, profile, at: date)
        hasCertificates = !certificates.isEmpty
    }

    private static func facts(of signature: SignatureSummary?) -> [InstallPage.Fact] {
        guard let signature else { return [] }
        let state =
            signature.identifier == nil
            ? InstallPage.Fact("Signature", "not signed", tone: "bad")
            : signature.isIntact
                ? InstallPage.Fact("Signature", "intact")
                : InstallPage.Fact("Signature", "invalid", tone: "bad")
        var facts = [state]
        if let team = signature.team { facts.append(InstallPage.Fact("Signed for team", team)) }
        let slices = signature.slices.map(\.architecture).joined(separator: ", ")
        if !slices.isEmpty { facts.append(InstallPage.Fact("Code", slices)) }
        return facts
    }

    private static func facts(of profile: ProfileSummary, at date: Date) -> [InstallPage.Fact] {
        var facts = [
            InstallPage.Fact("Profile", "\(profile.name), \(profile.type.title)"),
            InstallPage.Fact("Team", "\(profile.teamName) (\(profile.team))"),
            ending("Profile expires", profile.expires, at: date),
        ]
        switch profile.trust {
        case .apple: facts.append(InstallPage.Fact("Issued by", "Apple"))
        case .privateAuthority(let name):
            facts.append(InstallPage.Fact("Issued by", name, tone: "warn"))
        case .unverified(let reason):
            facts.append(InstallPage.Fact("Not verified", reason, tone: "bad"))
        }
        if let devices = profile.devices {
            facts.append(InstallPage.Fact("Devices", devices.count.grouped))
        }
        return facts
    }

    /// Returns the proven signers of the code; without any, the profile's certificates.
    private static func certificates(
        _ signature: SignatureSummary?,
        _ profile: ProfileSummary?,
        at date: Date,
    ) -> [InstallPage.Fact] {
        let signers = signature?.signers ?? []
        return (signers.isEmpty ? profile?.certificates ?? [] : signers)
            .map { ending($0.name, $0.expires, at: date) }
    }

    private static func ending(_ label: String, _ end: Date, at date: Date) -> InstallPage.Fact {
        let days = Wording.days(from: date, to: end)
        return InstallPage.Fact(
            label,
            "\(Wording.day(end)), \(Wording.distance(to: end, from: date))",
            tone: end <= date ? "bad" : days <= 30 ? "warn" : nil,
        )
    }
}
