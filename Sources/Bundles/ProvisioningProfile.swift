package import Cryptography
package import Identifiers
package import PropertyLists

package import Essentials

/// The facts of a provisioning profile.
///
/// ``trust`` says whether they are proven: ``ProfileEnvelope/verified(against:at:)`` makes proven
/// ones, ``ProfileEnvelope/claims()`` never does.
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
    /// `beta-reports-active`: a build for TestFlight.
    package let isTestFlight: Bool
    /// The devices listed, in the order of the profile; nil when the profile has no list.
    package let devices: [DeviceUDID]?
    /// Entries of the list that are not device identifiers.
    package let unreadableDevices: Int
    /// The certificates that may sign the app.
    package let certificates: [Certificate]
    /// Entries that are not certificates.
    package let unreadableCertificates: Int
    package let entitlements: PropertyList
    package let isXcodeManaged: Bool
    /// `LocalProvision`: made by Xcode for an account without a paid membership.
    package let isOfFreeAccount: Bool
    /// `PPQCheck`: the device asks Apple about the profile before it lets an app of it run.
    package let isCheckedOnline: Bool
    package let trust: ProfileTrust
    package let secondForm: SecondProfileForm

    /// Whether a debugger may attach; the device then asks for Developer Mode.
    package var getTaskAllow: Bool { entitlements["get-task-allow"]?.boolean ?? false }

    /// The application identifier granted; macOS profiles name the key otherwise.
    package var applicationIdentifier: ApplicationIdentifier? {
        (entitlements["application-identifier"]?.shortString
            ?? entitlements["com.apple.application-identifier"]?.shortString)
            .map(ApplicationIdentifier.init)
    }

    /// The team that the profile belongs to.
    package var team: String? { teamIdentifiers.first ?? applicationIdentifierPrefixes.first }
}
