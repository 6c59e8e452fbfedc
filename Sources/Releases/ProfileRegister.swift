package import Bundles
package import Essentials
package import Identifiers
package import Inspection

/// The provisioning profiles seen in builds or added by hand: `profiles.json`.
package struct ProfileRegister: Codable, Sendable, Equatable {
    package var schema = 1
    /// By UUID, which is new for every regeneration of a profile.
    package private(set) var profiles: [String: ProfileRecord]

    package init() {
        profiles = [:]
    }

    /// Those that expire first come first.
    package var byExpiry: [ProfileRecord] {
        profiles.values.sorted { ($0.expires, $0.uuid) < ($1.expires, $1.uuid) }
    }

    /// Notes a profile, and where it was seen.
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

/// One provisioning profile and the builds that carry it.
package struct ProfileRecord: Codable, Sendable, Equatable {
    /// The newest release of an app that carries the profile in one of its bundles.
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
    /// How many devices it lists; nil when it needs none.
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
