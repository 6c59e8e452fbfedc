import Bundles

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What `ota inspect --json` prints: the identity at the top, then the profile and what is nested.
///
/// Keys without a value are there as `null`, and dates are ISO 8601 in UTC whatever the encoder's
/// strategy. Devices are a number unless their identifiers are asked for.
package struct InspectionDocument: Encodable, Sendable {
    private let report: InspectionReport
    private let udids: Bool

    /// With `udids` the devices are named in `deviceIdentifiers` as well.
    package init(_ report: InspectionReport, udids: Bool = false) {
        self.report = report
        self.udids = udids
    }

    private enum Key: String, CodingKey {
        case schema, bundleIdentifier, name, version, build, minimumOS, families, size, sha256, path
        case profile, nested, installsUntil
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        let identity = report.identity
        try container.encode(1, forKey: .schema)
        try container.encode(identity.bundleIdentifier, forKey: .bundleIdentifier)
        try container.encode(identity.name, forKey: .name)
        try container.encode(identity.version, forKey: .version)
        try container.encode(identity.build, forKey: .build)
        try container.encode(identity.minimumOS, forKey: .minimumOS)
        try container.encode(identity.families, forKey: .families)
        try container.encode(identity.size, forKey: .size)
        try container.encode(identity.sha256, forKey: .sha256)
        try container.encode(identity.path, forKey: .path)
        try container.encode(report.installsUntil?.iso8601, forKey: .installsUntil)
        try container.encode(
            report.profile.map { ProfileDocument($0, udids: udids) },
            forKey: .profile,
        )
        try container.encode(
            report.nested.map { NestedDocument(bundle: $0, udids: udids) },
            forKey: .nested,
        )
    }
}

private struct NestedDocument: Encodable {
    let bundle: NestedBundle
    let udids: Bool

    private enum Key: String, CodingKey {
        case path, kind, bundleIdentifier, version, build, profile
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(bundle.path, forKey: .path)
        try container.encode(bundle.kind, forKey: .kind)
        try container.encode(bundle.bundleIdentifier, forKey: .bundleIdentifier)
        try container.encode(bundle.version, forKey: .version)
        try container.encode(bundle.build, forKey: .build)
        try container.encode(
            bundle.profile.map { ProfileDocument($0, udids: udids) },
            forKey: .profile,
        )
    }
}

/// A profile as `inspect --json` and `profiles show --json` give it.
package struct ProfileDocument: Encodable, Sendable {
    private let profile: ProfileSummary
    private let udids: Bool

    package init(_ profile: ProfileSummary, udids: Bool = false) {
        self.profile = profile
        self.udids = udids
    }

    private enum Key: String, CodingKey {
        case uuid, name, type, team, teamName, applicationIdentifier, created, expires, devices
        case deviceIdentifiers, verified, trust, certificates
    }

    private struct CertificateDocument: Encodable {
        let name: String
        let serial: String
        let expires: String
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(profile.uuid, forKey: .uuid)
        try container.encode(profile.name, forKey: .name)
        try container.encode(profile.type, forKey: .type)
        try container.encode(profile.team, forKey: .team)
        try container.encode(profile.teamName, forKey: .teamName)
        try container.encode(profile.applicationIdentifier, forKey: .applicationIdentifier)
        try container.encode(profile.created.iso8601, forKey: .created)
        try container.encode(profile.expires.iso8601, forKey: .expires)
        try container.encode(profile.devices?.count, forKey: .devices)
        if udids { try container.encode(profile.devices, forKey: .deviceIdentifiers) }
        try container.encode(profile.verified, forKey: .verified)
        try container.encode(profile.trust.word, forKey: .trust)
        try container.encode(
            profile.certificates.map {
                CertificateDocument(
                    name: $0.name,
                    serial: $0.serial,
                    expires: $0.expires.iso8601,
                )
            },
            forKey: .certificates,
        )
    }
}

extension ProfileTrust {
    /// `apple`, `private` or `unverified`.
    fileprivate var word: String {
        switch self {
        case .apple: "apple"
        case .privateAuthority: "private"
        case .unverified: "unverified"
        }
    }
}

extension Date {
    /// `2027-02-16T09:30:00Z`.
    var iso8601: String { formatted(.iso8601) }
}
