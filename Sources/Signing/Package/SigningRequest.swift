package import Cryptography
package import Essentials
package import PropertyLists

/// The identity, profiles and entitlements to sign an app with, and the date.
package struct SigningRequest: Sendable {
    /// The identity that signs all code of the app, with its certificate chain.
    ///
    /// It must have passed `SigningIdentity.checkedForApps(at:anchors:)`.
    package var identity: SigningIdentity
    /// Profiles for all bundles that need one, in any order; additional ones are ignored.
    package var profiles: [SigningProfile]
    /// The app's claims, instead of those in its old signature or `.xcent` file; nil to use those.
    package var entitlements: PropertyList?
    /// The claims of nested bundles likewise, by bundle identifier.
    package var nestedEntitlements: [String: PropertyList] = [:]
    /// The trusted authorities for profiles and certificates.
    package var anchors: TrustAnchors
    /// The signing time, at which profiles and certificates must be valid.
    package var date: Date

    package init(
        identity: SigningIdentity,
        profiles: [SigningProfile],
        entitlements: PropertyList? = nil,
        trusting anchors: TrustAnchors,
        at date: Date,
    ) {
        self.identity = identity
        self.profiles = profiles
        self.entitlements = entitlements
        self.anchors = anchors
        self.date = date
    }
}
