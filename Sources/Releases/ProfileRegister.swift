package import Bundles
package import Essentials
package import Identifiers
package import Inspection

/// The provisioning profiles found in builds or added manually: `profiles.json`.
package struct ProfileRegister: Codable, Sendable, Equatable {
    package var schema = 1
    /// The profiles by UUID, which changes with every regeneration of a profile.
    package private(set) var profiles: [String: ProfileRecord]

    package init() {
        profiles = [:]
    }

    /// In the order of their expiry.
    package var byExpiry: [ProfileRecord] {
        profiles.values.sorted { ($0.expires, $0.uuid) < ($1.expires, $1.uuid) }
    }

    /// Adds a profile, and where it is used.
    ///
    /// - Returns: whether anything changed.
    @discardableResult
    package mutating func note(_ summary: ProfileSummary, in use: ProfileRecord.Use?) -> Bool {
        var record = profiles[summary.uuid] ?? ProfileRecord(summary)
        if let use {
            record.uses.removeAll { $0.app == use.app && $0.bundle == use.bundle }
            record.uses.append(use)
        }
        guard profiles[summary.uuid] != record else { return false }
        profiles[summary.uuid] = record
        return true
    }
}

/// A provisioning profile, and the builds that contain it.
package struct ProfileRecord: Codable, Sendable, Equatable {
    /// The newest release of an app that has the profile in one of its bundles.
    package struct Use: Codable, Sendable, Equatable {
        package let app: BundleIdentifier
        package let release: ReleaseIdentifier
        /// The path of the bundle in the IPA.
        package let bundle: String

        package init(app: BundleIdentifier, release: ReleaseIdentifier, bundle: String) {
            self.app = app
            self.release = release
            self.bundle = bundle
        }
    }

    package let uuid: String
    package let name: String
    package let type: ProfileKind
    package let team: String
    package let teamName: String
    package let applicationIdentifier: String?
    package let created: Date
    package let expires: Date
    /// The number of devices it lists; nil if it needs none.
    package let deviceCount: Int?
    package let isVerified: Bool
    package let certificates: [CertificateSummary]
    package var uses: [Use]

    package init(_ summary: ProfileSummary) {
        uuid = summary.uuid
        name = summary.name
        type = summary.type
        team = summary.team
        teamName = summary.teamName
        applicationIdentifier = summary.applicationIdentifier
        created = summary.created
        expires = summary.expires
        deviceCount = summary.devices?.count
        isVerified = summary.verified
        certificates = summary.certificates
        uses = []
    }
}
