import Bytes

/// What an app claims, compared with what its App ID may do: a profile grants nothing more.
package struct CapabilityComparison: Sendable, Equatable {
    /// Something that the app claims and the App ID may not do.
    package struct Missing: Sendable, Equatable {
        /// Apple's word, such as `PUSH_NOTIFICATIONS`.
        package let capability: String
        /// The claims that need it, sorted.
        package let claims: [String]

        /// Whether enabling it is enough: groups, containers and the like are assigned only on Apple's
        /// website.
        package var isSwitch: Bool { !Self.assigned.contains(capability) }

        private static let assigned: Set<String> = ["APP_GROUPS", "ICLOUD", "APPLE_PAY", "WALLET"]
    }

    /// By capability.
    package let missing: [Missing]

    /// - Parameters:
    ///   - claims: the keys of the entitlements that the app claims.
    ///   - capabilities: of its App ID.
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

    /// The capability that an entitlement needs; nil for one that every App ID grants, or that Apple
    /// grants by hand.
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
    /// What is missing, as one clause.
    package var description: String {
        "the app claims \(quoted: claims), but its App ID does not have the capability \(capability)"
    }

    /// What a person can do about it, as an instruction.
    package var fix: String {
        isSwitch
            ? "enable \(capability) for the App ID at developer.apple.com, and then renew its profiles"
            : "assign it to the App ID at developer.apple.com; an API key cannot do that"
    }
}
