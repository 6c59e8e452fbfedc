import Bytes
import Inspection

extension BundleFault {
    /// How to get a profile that grants the claims.
    static func fix(for claims: [Claim]) -> String {
        let missing = claims.filter { $0.granted == nil }
        let managed = missing.filter { ManagedEntitlements.contains($0.key) }
        guard managed.isEmpty else {
            return
                "Apple grants \(quoted: managed.map(\.key)) only on request: ask for it, add it to "
                + "the App ID, create the profile again and give the new one; or remove it from "
                + "the app's entitlements (--entitlements)"
        }
        let names = missing.compactMap { AppCapability.names[$0.key] }
        let capabilities = names.reduce(into: [String]()) {
            if !$0.contains($1) { $0.append($1) }
        }
        let what =
            capabilities.isEmpty
            ? "add what is claimed to the App ID"
            : "add \(quoted: capabilities) to the App ID"
        return
            "\(what) on Apple's developer site, create the profile again and give the new one; or "
            + "give entitlements without it (--entitlements)"
    }
}
