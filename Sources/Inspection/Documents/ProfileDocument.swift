import Bundles
import Identifiers

import Essentials

/// A profile in the output of `inspect --json` and `profiles show --json`.
package struct ProfileDocument: Encodable, Sendable {
    private let uuid: String
    private let name: String
    private let type: ProfileKind
    private let team: String
    private let teamName: String
    @OrNull private var applicationIdentifier: String?
    private let created: String
    private let expires: String
    @OrNull private var devices: Int?
    /// Absent unless requested.
    private let deviceIdentifiers: [DeviceUDID]?
    private let verified: Bool
    /// `apple`, `private` or `unverified`.
    private let trust: String
    private let certificates: [CertificateDocument]

    /// With `udids`, also lists the devices' UDIDs.
    package init(_ profile: ProfileSummary, udids: Bool = false) {
        uuid = profile.uuid
        name = profile.name
        type = profile.type
        team = profile.team
        teamName = profile.teamName
        applicationIdentifier = profile.applicationIdentifier
        created = profile.created.iso8601
        expires = profile.expires.iso8601
        devices = profile.devices?.count
        deviceIdentifiers = udids ? profile.devices : nil
        verified = profile.verified
        trust = profile.trust.word
        certificates = profile.certificates.map(CertificateDocument.init)
    }
}

/// A certificate of a profile or a signature.
struct CertificateDocument: Encodable, Sendable {
    private let name: String
    private let serial: String
    private let begins: String
    private let expires: String

    init(_ certificate: CertificateSummary) {
        name = certificate.name
        serial = certificate.serial
        begins = certificate.begins.iso8601
        expires = certificate.expires.iso8601
    }
}

extension ProfileTrust {
    fileprivate var word: String {
        switch self {
        case .apple: "apple"
        case .privateAuthority: "private"
        case .unverified: "unverified"
        }
    }
}

extension Date {
    /// ISO 8601 in UTC, such as `2027-02-16T09:30:00Z`, independent of the encoder's date strategy.
    var iso8601: String { formatted(.iso8601) }
}
