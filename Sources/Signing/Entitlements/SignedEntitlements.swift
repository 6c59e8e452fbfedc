package import PropertyLists

/// The entitlements to sign a program with, and its claims that are dropped.
package struct SignedEntitlements: Equatable, Sendable {
    /// Those claimed and granted, with the profile's values for team, application identifier and
    /// debugging.
    package let kept: [String: PropertyList]
    /// Those claimed but neither granted nor needed, by key.
    package let dropped: [DroppedEntitlement]
}

/// A claim that the signature omits without effect on a device.
package struct DroppedEntitlement: Equatable, Sendable {
    /// The raw values are part of the JSON format.
    package enum Reason: String, Codable, CaseIterable, Sendable {
        /// The value is false or empty.
        case claimsNothing = "claims-nothing"
        /// It has a meaning only on a Mac; targets for several platforms also claim it.
        case forMac = "for-mac"
        /// Only the profile can set it, and does not: for example whether the build is for TestFlight.
        case profileDecides = "profile-decides"
        /// Another signer copied it from a profile, where it stands for any value; apps claim specific
        /// values.
        case copiedFromProfile = "copied-from-profile"

        /// The reason, as a clause.
        package var explanation: String {
            switch self {
            case .claimsNothing: "it claims nothing"
            case .forMac: "it has a meaning only on a Mac"
            case .profileDecides: "only the profile can set it, and does not"
            case .copiedFromProfile: "its value is a profile's wildcard, not an app's claim"
            }
        }
    }

    package let key: String
    package let value: PropertyList
    package let reason: Reason
}
