import Bytes

/// Compares an app's claimed entitlements with the capabilities of its App ID: a profile grants no
/// others.
package struct CapabilityComparison: Sendable, Equatable {
    /// A capability that the app's claims need and the App ID lacks.
    package struct Missing: Sendable, Equatable {
        /// Apple's name, such as `PUSH_NOTIFICATIONS`.
        package let capability: String
        /// The claims that need it, sorted.
        package let claims: [String]

        /// Whether enabling it suffices: groups, containers and similar can only be assigned on Apple's
        /// website.
        package var isSwitch: Bool { !Self.assigned.contains(capability) }

        private static let assigned: Set<String> = ["APP_GROUPS", "ICLOUD", "APPLE_PAY", "WALLET"]
    }

    /// Sorted by capability.
    package let missing: [Missing]

    /// - Parameters:
    ///   - claims: the keys of the app's entitlements.
    ///   - capabilities: the capabilities of its App ID.
    package init(claims: some Sequence<String>, capabilities: [AccountCapability]) {
        let granted = Set(capabilities.map(\.type))
        var needed: [String: [String]] = [:]
        for claim in claims {
            guard let capability = Self.capability(for: claim), !granted.contains(capability) else {
                continue
            }
            needed[capability, default: []].append(claim)
        }
        missing = needed.sorted { $0.key < $1.key }
            .map { Missing(capability: $0.key, claims: $0.value.sorted()) }
    }

    /// The capability for an entitlement; nil for one that every App ID grants or that Apple grants on
    /// request.
    package static func capability(for claim: String) -> String? { table[claim] }

    /// Source: Apple, "CapabilityType" and "Entitlements".
    private static let table = [
        "aps-environment": "PUSH_NOTIFICATIONS",
        "com.apple.developer.ClassKit-environment": "CLASSKIT",
        "com.apple.developer.applesignin": "APPLE_ID_AUTH",
        "com.apple.developer.associated-domains": "ASSOCIATED_DOMAINS",
        "com.apple.developer.authentication-services.autofill-credential-provider":
            "AUTOFILL_CREDENTIAL_PROVIDER",
        "com.apple.developer.coremedia.hls.low-latency": "COREMEDIA_HLS_LOW_LATENCY",
        "com.apple.developer.default-data-protection": "DATA_PROTECTION",
        "com.apple.developer.game-center": "GAME_CENTER",
        "com.apple.developer.healthkit": "HEALTHKIT",
        "com.apple.developer.homekit": "HOMEKIT",
        "com.apple.developer.icloud-container-identifiers": "ICLOUD",
        "com.apple.developer.icloud-services": "ICLOUD",
        "com.apple.developer.in-app-payments": "APPLE_PAY",
        "com.apple.developer.maps": "MAPS",
        "com.apple.developer.networking.HotspotConfiguration": "HOT_SPOT",
        "com.apple.developer.networking.custom-protocol": "NETWORK_CUSTOM_PROTOCOL",
        "com.apple.developer.networking.multipath": "MULTIPATH",
        "com.apple.developer.networking.networkextension": "NETWORK_EXTENSIONS",
        "com.apple.developer.networking.vpn.api": "PERSONAL_VPN",
        "com.apple.developer.networking.wifi-info": "ACCESS_WIFI_INFORMATION",
        "com.apple.developer.nfc.readersession.formats": "NFC_TAG_READING",
        "com.apple.developer.pass-type-identifiers": "WALLET",
        "com.apple.developer.siri": "SIRIKIT",
        "com.apple.developer.ubiquity-container-identifiers": "ICLOUD",
        "com.apple.developer.ubiquity-kvstore-identifier": "ICLOUD",
        "com.apple.developer.user-management": "USER_MANAGEMENT",
        "com.apple.external-accessory.wireless-configuration": "WIRELESS_ACCESSORY_CONFIGURATION",
        "com.apple.security.application-groups": "APP_GROUPS",
        "inter-app-audio": "INTER_APP_AUDIO",
    ]
}

extension CapabilityComparison.Missing: CustomStringConvertible {
    /// The missing capability, as a clause.
    package var description: String {
        "the app claims \(quoted: claims), but its App ID does not have the capability \(capability)"
    }

    /// How an admin can fix it, as an instruction.
    package var fix: String {
        isSwitch
            ? "enable \(capability) for the App ID at developer.apple.com, and then renew its profiles"
            : "assign it to the App ID at developer.apple.com; an API key cannot do that"
    }
}
