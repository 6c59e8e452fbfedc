package import AppleDeveloper
import Bundles
import Identifiers
import Inspection
package import Releases
package import Store

/// The entitlements that a team's offered builds claim: by bundle, including extensions.
package struct OfferedClaims: Sendable {
    package let claims: [TeamCheck.Claim]
    /// The number of days before their expiry at which profiles and certificates of the team are renewed.
    package let renewalDays: Int

    /// - Throws: ``StoreFailure``.
    package init(of team: Team, in store: OTAStore) throws(StoreFailure) {
        var keys: [BundleIdentifier: Set<String>] = [:]
        let apps = try store.apps().filter { $0.team == team.identifier }
        for app in apps {
            for identifier in Set(app.channels.values) {
                guard let release = try store.release(identifier, of: app.bundleIdentifier) else {
                    continue
                }
                let report = try store.report(of: release)
                keys[app.bundleIdentifier, default: []].formUnion(Self.keys(in: report.signature))
                for nested in report.nested where nested.kind.hasOwnProfile {
                    guard let bundle = nested.bundleIdentifier.flatMap(BundleIdentifier.init) else {
                        continue
                    }
                    keys[bundle, default: []].formUnion(Self.keys(in: nested.signature))
                }
            }
        }
        claims = keys.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            TeamCheck.Claim(bundle: $0.key, entitlements: $0.value.sorted())
        }
        renewalDays = apps.map(\.renewalDays).max() ?? AppRecord.usualRenewalDays
    }

    private static func keys(in signature: SignatureSummary?) -> [String] {
        signature?.entitlements.filter { $0.claimed != nil }.map(\.key) ?? []
    }
}
