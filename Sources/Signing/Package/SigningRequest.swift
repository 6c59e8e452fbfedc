package import Cryptography
package import Essentials
package import PropertyLists

/// With what an app is to be signed, and when.
package struct SigningRequest: Sendable {
    /// Whose certificate and key sign all code of the app, with the certificates above it.
    ///
    /// It was found fit to sign apps (`SigningIdentity.checkedForApps(at:anchors:)`).
    package var identity: SigningIdentity
    /// One for each bundle that needs one; in any order, and more than are needed.
    package var profiles: [SigningProfile]
    /// What the app itself claims, in place of what its old signature or its archive says.
    package var entitlements: PropertyList?
    /// The same of bundles inside it, by bundle identifier.
    package var nestedEntitlements: [String: PropertyList] = [:]
    /// The authorities that may sign profiles and certificates.
    package var anchors: TrustAnchors
    /// The signing time, for which profiles and certificates must be valid.
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
