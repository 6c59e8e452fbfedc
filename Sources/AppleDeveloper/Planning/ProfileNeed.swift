package import Identifiers

/// A profile that is needed to sign an app's bundle for a team's devices.
package struct ProfileNeed: Sendable, Equatable {
    package let bundle: BundleIdentifier
    /// The App ID; nil when the account has none for the bundle.
    package let appID: AccountBundleID?
    /// The devices for which to sign, as in the account.
    package let devices: [AccountDevice]

    package init(
        bundle: BundleIdentifier,
        appID: AccountBundleID?,
        devices: [AccountDevice],
    ) {
        self.bundle = bundle
        self.appID = appID
        self.devices = devices
    }
}

/// A profile of the account, with its devices.
package struct ListedProfile: Sendable, Equatable {
    package let profile: AccountProfile
    package let devices: Set<DeviceUDID>

    package init(_ profile: AccountProfile, devices: Set<DeviceUDID>) {
        self.profile = profile
        self.devices = devices
    }
}
