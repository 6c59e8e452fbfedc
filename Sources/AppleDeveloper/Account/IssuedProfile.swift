package import Identifiers

/// A profile from Apple, with the requested devices that it lacks.
package struct IssuedProfile: Sendable, Equatable {
    package let profile: AccountProfile
    /// The contents of the `.mobileprovision` file.
    package let content: [UInt8]
    /// The devices listed in the contents.
    package let devices: Set<DeviceUDID>
    /// Requested devices that Apple silently left out, as it does while it is processing them.
    package let omitted: [AccountDevice]
}
