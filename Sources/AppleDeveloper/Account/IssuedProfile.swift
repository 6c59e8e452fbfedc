package import Identifiers

/// A profile that Apple has made, with what it leaves out of what was asked for.
package struct IssuedProfile: Sendable, Equatable {
    package let profile: AccountProfile
    /// The `.mobileprovision`.
    package let content: [UInt8]
    /// The devices that the profile lists, as it says itself.
    package let devices: Set<DeviceUDID>
    /// Devices that were asked for and that Apple left out without a word, as it does while it is
    /// processing them.
    package let omitted: [AccountDevice]
}
