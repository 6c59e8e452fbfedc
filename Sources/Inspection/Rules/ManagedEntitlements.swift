/// Entitlements that an account has only after Apple approved a request for them.
///
/// The page of each one in "Entitlements" (Bundle Resources) says so; "Provisioning with managed
/// capabilities" (Account Help) describes the request.
package enum ManagedEntitlements {
    package static func contains(_ key: String) -> Bool {
        keys.contains(key) || prefixes.contains { key.hasPrefix($0) }
    }

    private static let keys: Set = [
        "com.apple.developer.contacts.notes",
        "com.apple.developer.embedded-web-browser-engine",
        "com.apple.developer.exposure-notification",
        "com.apple.developer.family-controls",
        "com.apple.developer.location.push",
        "com.apple.developer.mail-client",
        "com.apple.developer.messages.critical-messaging",
        "com.apple.developer.networking.HotspotHelper",
        "com.apple.developer.networking.multicast",
        "com.apple.developer.nfc.hce",
        "com.apple.developer.passkit.pass-presentation-suppression",
        "com.apple.developer.payment-pass-provisioning",
        "com.apple.developer.playable-content",
        "com.apple.developer.pushkit.unrestricted-voip",
        "com.apple.developer.sensorkit.reader.allow",
        "com.apple.developer.submerged-depth-and-pressure",
        "com.apple.developer.usernotifications.critical-alerts",
        "com.apple.developer.usernotifications.filtering",
        "com.apple.developer.video-subscriber-single-sign-on",
        "com.apple.developer.web-browser",
        "com.apple.smoot.subscriptionservice",
    ]

    private static let prefixes = [
        "com.apple.developer.carplay-", "com.apple.developer.driverkit",
        "com.apple.developer.marketplace.", "com.apple.developer.proximity-reader.",
        "com.apple.developer.secure-element-credential", "com.apple.developer.storekit.external-",
        "com.apple.developer.web-browser-engine.",
    ]
}
