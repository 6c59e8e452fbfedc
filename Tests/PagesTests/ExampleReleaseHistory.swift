import APIDocuments
import Administration
import Bundles
import Foundation
import Identifiers
import Inspection
import Pages
import Releases
import Testing

/// A release among others of its app.
extension ExamplePages {
    func history(of release: Release) throws -> ReleaseHistory {
        var older = self
        older.word = { $0 + "-1" }
        older.version = "2.3.0"
        older.build = "300"
        older.size = 21_600_000
        let other = try older.release()
        let attempts = [
            InstallAttempt.Outcome.downloaded, .downloaded, .cutShort, .manifestOnly,
        ].enumerated().map { index, outcome in
            InstallAttempt(
                app: release.bundleIdentifier,
                release: release.identifier,
                device: index == 0 ? "0123456789abcdef01234567" : nil,
                began: Self.now - 90,
                ended: Self.now - 60,
                outcome: outcome,
                sent: outcome == .manifestOnly ? 0 : 1000,
            )
        }
        return ReleaseHistory(
            comparison: try comparison(of: release, with: other),
            choices: [other, release],
            chosen: other.identifier,
            trend: SizeTrend(
                [(other, "/admin/apps/browsey/2.3.0-300"), (release, "release.html")],
                current: release.identifier,
            ),
            funnel: InstallFunnel(attempts),
            at: "/admin/apps/browsey/2.4.0-318",
        )
    }

    func comparison(
        of release: Release,
        with other: Release,
        isNamed: Bool = true,
    ) throws -> BuildComparison {
        let gone = try #require(DeviceUDID("00008120-0000000000000010"))
        let document = ComparisonDocument(
            of: ComparisonDocument.Side(
                release,
                try built(code: 9_000_000, entitlements: ["aps-environment": "production"]),
            ),
            with: ComparisonDocument.Side(
                other,
                try built(
                    code: 8_000_000,
                    entitlements: ["get-task-allow": "true"],
                    extensions: ["Share"],
                    without: [gone],
                ),
            ),
            names: isNamed ? [gone: word("Ana’s iPhone")] : nil,
        )
        return comparison(document, with: other)
    }

    func comparison(_ document: ComparisonDocument, with other: Release) -> BuildComparison {
        BuildComparison(
            with: "\(other.version) (\(other.build))",
            at: "/admin/apps/browsey/2.3.0-300",
            rows: document.changes.map {
                BuildComparison.Row($0.label, $0.before, $0.now, change: $0.change)
            },
        )
    }

    /// A report with code, entitlements and extensions.
    private func built(
        code: Int,
        entitlements: [String: String],
        extensions: [String] = [],
        without missing: [DeviceUDID] = [],
    ) throws -> InspectionReport {
        let report = try self.report()
        let signature = { (size: Int) in
            SignatureSummary(
                path: "Payload/Browsey.app/Browsey",
                identifier: "com.vforsh.browsey",
                team: "ABCDE12345",
                codeHash: nil,
                signers: [],
                isIntact: true,
                slices: [
                    SliceSummary(
                        architecture: "arm64",
                        platform: "iOS",
                        minimumOS: "16.0",
                        sdk: nil,
                        size: size,
                        isEncrypted: false,
                    )
                ],
                entitlements: entitlements.keys.sorted().map { key in
                    EntitlementSummary(
                        key: key,
                        claimed: entitlements[key].map(word),
                        granted: nil,
                    )
                },
            )
        }
        let profile = try #require(report.profile)
        return InspectionReport(
            identity: report.identity,
            profile: ProfileSummary(
                uuid: profile.uuid,
                name: profile.name,
                type: profile.type,
                team: profile.team,
                teamName: profile.teamName,
                applicationIdentifier: profile.applicationIdentifier,
                created: profile.created,
                expires: profile.expires,
                devices: profile.devices.map { $0.filter { !missing.contains($0) } },
                trust: profile.trust,
                certificates: [],
            ),
            signature: signature(code),
            nested: extensions.map { name in
                NestedBundle(
                    path: "Payload/Browsey.app/PlugIns/\(name).appex",
                    kind: .appExtension,
                    bundleIdentifier: nil,
                    version: nil,
                    build: nil,
                    profile: nil,
                    signature: signature(500_000),
                )
            },
            findings: [],
            inspected: Self.now,
            installsUntil: nil,
        )
    }
}
