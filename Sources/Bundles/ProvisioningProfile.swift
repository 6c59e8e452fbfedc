package import Cryptography
package import Identifiers
package import PropertyLists

package import Essentials

/// The contents of a provisioning profile.
///
/// ``trust`` says whether they are verified: those from ``ProfileEnvelope/verified(against:at:)`` are,
/// those from ``ProfileEnvelope/claims()`` are not.
package struct ProvisioningProfile: Equatable, Sendable {
    package let name: String
    package let uuid: String
    package let teamName: String?
    package let teamIdentifiers: [String]
    package let applicationIdentifierPrefixes: [String]
    package let created: Date
    package let expires: Date
    /// `iOS`, `tvOS`, `OSX`, `xrOS`, `visionOS`; empty in profiles from before 2014.
    package let platforms: [String]
    package let kind: ProfileKind
    /// `beta-reports-active`: whether the profile is for TestFlight builds.
    package let isTestFlight: Bool
    /// The listed devices, in the order of the profile; nil when the profile has no list.
    package let devices: [DeviceUDID]?
    /// The number of entries in the list that are not device identifiers.
    package let unreadableDevices: Int
    /// The certificates that may sign the app.
    package let certificates: [Certificate]
    /// The number of entries that are not certificates.
    package let unreadableCertificates: Int
    package let entitlements: PropertyList
    package let isXcodeManaged: Bool
    /// `LocalProvision`: whether Xcode made it for an account without a paid membership.
    package let isOfFreeAccount: Bool
    /// `PPQCheck`: whether a device asks Apple about the profile before it runs an app with it.
    package let isCheckedOnline: Bool
    package let trust: ProfileTrust
    package let secondForm: SecondProfileForm

    /// Whether a debugger may attach; the device then requires Developer Mode.
    package var getTaskAllow: Bool { entitlements["get-task-allow"]?.boolean ?? false }

    /// The granted application identifier; macOS profiles have another key for it.
    package var applicationIdentifier: ApplicationIdentifier? {
        (entitlements["application-identifier"]?.shortString
            ?? entitlements["com.apple.application-identifier"]?.shortString)
            .map(ApplicationIdentifier.init)
    }

    /// The team that the profile belongs to.
    package var team: String? { teamIdentifiers.first ?? applicationIdentifierPrefixes.first }
}
