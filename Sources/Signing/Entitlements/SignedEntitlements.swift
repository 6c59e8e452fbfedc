package import PropertyLists

/// What a program is signed with of what it claimed, and what it is not.
package struct SignedEntitlements: Equatable, Sendable {
    /// Claimed and granted, with what its profile says of team, application and debugging.
    package let kept: [String: PropertyList]
    /// Claimed, neither granted nor needed; by key.
    package let dropped: [DroppedEntitlement]
}

/// A claim that is left out of a signature, which changes nothing on a device.
package struct DroppedEntitlement: Equatable, Sendable {
    /// The raw values are a JSON contract.
    package enum Reason: String, Codable, CaseIterable, Sendable {
        /// False or empty.
        case claimsNothing = "claims-nothing"
        /// Has a meaning on a Mac alone; targets for several platforms carry it along.
        case forMac = "for-mac"
        /// The profile decides it, and does not have it: whether it is for TestFlight, for example.
        case profileDecides = "profile-decides"
        /// Another signer copied it from a profile, where it stands for any value; apps claim values.
        case copiedFromProfile = "copied-from-profile"

        /// Why, as a clause.
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
