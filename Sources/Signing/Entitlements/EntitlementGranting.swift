import Bundles
import Bytes
import Inspection
import PropertyLists

/// Determines which claims of a program its signature contains: those that its profile grants.
struct EntitlementGranting {
    private let profile: ProvisioningProfile
    private let identifier: String
    private let prefix: String
    private let claims: EntitlementClaims
    private var kept: [String: PropertyList] = [:]
    private var dropped: [DroppedEntitlement] = []
    private var refused: [BundleFault.Claim] = []

    /// The entitlements to sign a program with, for its bundle identifier.
    ///
    /// - Throws: ``BundleFault/notGranted(profile:_:)`` for claims that must not be dropped.
    static func entitlements(
        for identifier: String,
        claiming claims: EntitlementClaims,
        under profile: ProvisioningProfile,
    ) throws(BundleFault) -> SignedEntitlements {
        var granting = EntitlementGranting(identifier, claims, profile)
        for (key, value) in claims.entries.sorted(by: { $0.key < $1.key }) {
            if case .array(let values) = value, values.count > Self.mostValues {
                throw .tooManyClaims(key: key, limit: Self.mostValues)
            }
            granting.judge(key, value)
        }
        guard granting.refused.isEmpty else {
            throw .notGranted(profile: profile.name, granting.refused)
        }
        granting.addFromProfile()
        return SignedEntitlements(kept: granting.kept, dropped: granting.dropped)
    }

    private init(
        _ identifier: String,
        _ claims: EntitlementClaims,
        _ profile: ProvisioningProfile,
    ) {
        self.identifier = identifier
        self.profile = profile
        let granted = profile.applicationIdentifier.map { String($0.prefix) }
        let team = profile.team ?? ""
        prefix = granted ?? profile.applicationIdentifierPrefixes.first ?? team
        self.claims = claims.expanding(prefix: prefix[...], team: team, identifier: identifier)
    }

    // MARK: Claims

    private mutating func judge(_ key: String, _ claimed: PropertyList) {
        guard !Self.decidedByProfile.contains(key) else {
            if profile.entitlements[key] == nil { drop(key, claimed, .profileDecides) }
            return
        }
        let value = expanded(claims.entries[key] ?? claimed, of: key)
        if Self.isWildcard(value), !Self.mayBeWildcard.contains(key) {
            return drop(key, claimed, .copiedFromProfile)
        }
        guard let grant = profile.entitlements[key] else {
            if value.claimsNothing { return drop(key, claimed, .claimsNothing) }
            if Self.copied.contains(key) { return drop(key, claimed, .copiedFromProfile) }
            if Self.isForMac(key) { return drop(key, claimed, .forMac) }
            refused.append(.init(key: key, excess: value.inWords, granted: nil))
            return
        }
        if Self.copied.contains(key) { return drop(key, claimed, .copiedFromProfile) }
        let settled = settled(value, of: key, under: grant)
        guard key != Self.dataProtection, let excess = settled.excess(over: grant) else {
            kept[key] = settled
            return
        }
        refused.append(.init(key: key, excess: excess.inWords, granted: grant.inWords))
    }

    private mutating func drop(
        _ key: String,
        _ value: PropertyList,
        _ reason: DroppedEntitlement.Reason,
    ) {
        dropped.append(DroppedEntitlement(key: key, value: value, reason: reason))
    }

    /// A claim with the team's prefix instead of the previous one, and without wildcards that stand for
    /// the bundle itself.
    private func expanded(_ value: PropertyList, of key: String) -> PropertyList {
        let old = claims.prefix.map { "\($0)." }
        let own = "\(prefix).*"
        let isOwnGroup = Self.ownGroups.contains(key)
        var expanded = value.mappingStrings { text in
            var text = text
            if let old, old != "\(prefix).", Self.prefixed.contains(key), text.hasBytes(first: old)
            {
                text =
                    "\(prefix)."
                    + String(decoding: text.utf8.dropFirst(old.utf8.count), as: UTF8.self)
            }
            return isOwnGroup && text.isBytes(of: own) ? "\(prefix).\(identifier)" : text
        }
        if isOwnGroup, case .array(let groups) = expanded {
            var seen: Set<[UInt8]> = []
            expanded = .array(
                groups.filter { group in
                    group.string.map { seen.insert(Array($0.utf8)).inserted } ?? true
                }
            )
        }
        return expanded
    }

    /// A claim with the profile's value, for keys where the build only claims that it needs one.
    private func settled(
        _ value: PropertyList,
        of key: String,
        under grant: PropertyList,
    ) -> PropertyList {
        switch key {
        case "aps-environment": return grant
        case Self.cloudEnvironment:
            let allowed = grant.strings ?? grant.string.map { [$0] } ?? []
            if let claimed = value.string, allowed.contains(where: { $0.isBytes(of: claimed) }) {
                return value
            }
            let usual = profile.kind == .development ? "Development" : "Production"
            return allowed.contains(where: { $0.isBytes(of: usual) }) ? .string(usual) : value
        default: return value
        }
    }

    // MARK: The profile's own

    private mutating func addFromProfile() {
        kept["application-identifier"] = .string("\(prefix).\(identifier)")
        if let team = profile.team {
            kept["com.apple.developer.team-identifier"] = .string(team)
        }
        for key in ["get-task-allow", "beta-reports-active"] {
            kept[key] = profile.entitlements[key]
        }
        // Xcode requires one when an app uses CloudKit, and distribution uses Production.
        if kept[Self.cloudEnvironment] == nil, kept["com.apple.developer.icloud-services"] != nil,
            profile.kind != .development, let grant = profile.entitlements[Self.cloudEnvironment],
            grant.strings?.contains(where: { $0.isBytes(of: "Production") })
                ?? (grant.string?.isBytes(of: "Production") == true)
        {
            kept[Self.cloudEnvironment] = .string("Production")
        }
    }
}

extension EntitlementGranting {
    /// Maximum number of values of one entitlement; each is searched among those that the profile grants.
    private static let mostValues = 1000
    private static let dataProtection = "com.apple.developer.default-data-protection"
    private static let cloudEnvironment = "com.apple.developer.icloud-container-environment"

    private static let decidedByProfile: Set = [
        "application-identifier", "com.apple.application-identifier",
        "com.apple.developer.team-identifier", "get-task-allow", "beta-reports-active",
    ]

    /// Keys of profiles that apps do not claim.
    private static let copied: Set = [
        "com.apple.developer.icloud-container-development-container-identifiers"
    ]

    /// Keys whose values begin with the team's prefix.
    private static let prefixed: Set = [
        "com.apple.developer.associated-appclip-app-identifiers",
        "com.apple.developer.icloud-container-identifiers",
        "com.apple.developer.parent-application-identifiers",
        "com.apple.developer.pass-type-identifiers",
        "com.apple.developer.ubiquity-container-identifiers",
        "com.apple.developer.ubiquity-kvstore-identifier",
        "com.apple.security.application-groups",
        "keychain-access-groups",
    ]

    /// Keys for which the prefix with a wildcard is a profile's default and stands for the bundle itself.
    private static let ownGroups: Set = [
        "com.apple.developer.ubiquity-kvstore-identifier", "keychain-access-groups",
    ]

    /// Keys for which Xcode's template claims a wildcard.
    private static let mayBeWildcard: Set = ["com.apple.developer.pass-type-identifiers"]

    private static func isWildcard(_ value: PropertyList) -> Bool {
        let texts = value.strings ?? value.string.map { [$0] } ?? []
        return texts.count == 1 && texts[0].isBytes(of: "*")
    }

    /// Entitlements for Macs that targets for several platforms also claim.
    private static func isForMac(_ key: String) -> Bool {
        key.hasBytes(first: "com.apple.security.")
            && !key.isBytes(of: "com.apple.security.application-groups")
    }
}
