package import Bundles
package import Identifiers

package import Essentials

/// What a report stores of a provisioning profile.
package struct ProfileSummary: Codable, Equatable, Sendable {
    package let uuid: String
    package let name: String
    package let type: ProfileKind
    /// Whether it is for TestFlight builds (`beta-reports-active`).
    package let isTestFlight: Bool
    /// The team's identifier, ten characters.
    package let team: String
    package let teamName: String
    /// The application identifier that it grants, `PREFIX.com.example.app` or with `*` at the end.
    package let applicationIdentifier: String?
    package let created: Date
    package let expires: Date
    /// The listed devices, sorted; nil for a profile that needs no list.
    package let devices: [DeviceUDID]?
    package let trust: ProfileTrust
    package let certificates: [CertificateSummary]

    package init(
        uuid: String,
        name: String,
        type: ProfileKind,
        isTestFlight: Bool = false,
        team: String,
        teamName: String,
        applicationIdentifier: String?,
        created: Date,
        expires: Date,
        devices: [DeviceUDID]?,
        trust: ProfileTrust,
        certificates: [CertificateSummary],
    ) {
        self.uuid = uuid
        self.name = name
        self.type = type
        self.isTestFlight = isTestFlight
        self.team = team
        self.teamName = teamName
        self.applicationIdentifier = applicationIdentifier
        self.created = created
        self.expires = expires
        self.devices = devices
        self.trust = trust
        self.certificates = certificates
    }

    /// Whether its signature chains to a trusted authority.
    package var verified: Bool { trust.isVerified }
}

/// A signing certificate that a profile allows.
package struct CertificateSummary: Codable, Hashable, Sendable {
    /// The subject's common name, such as `Apple Distribution: Example (ABCDE12345)`.
    package let name: String
    /// In hexadecimal.
    package let serial: String
    package let begins: Date
    package let expires: Date

    package init(name: String, serial: String, begins: Date, expires: Date) {
        self.name = name
        self.serial = serial
        self.begins = begins
        self.expires = expires
    }
}
