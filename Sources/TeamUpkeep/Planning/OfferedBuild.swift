import Bundles
import Cryptography
package import Essentials
package import Identifiers
import Inspection
import ReleaseSigning
package import Releases
import Signing

/// An offered release, and the team's profiles for signing it.
package struct OfferedBuild: Sendable, Equatable {
    /// The team's profile with which a bundle would be signed.
    package struct Choice: Sendable, Equatable {
        package let uuid: String
        package let expires: Date
        /// Nil for a profile that needs no list of devices.
        package let devices: Set<DeviceUDID>?
        /// Apple's identifier of the profile, if this server created it.
        package let accountID: String?

        package init(
            uuid: String,
            expires: Date,
            devices: Set<DeviceUDID>?,
            accountID: String?,
        ) {
            self.uuid = uuid
            self.expires = expires
            self.devices = devices
            self.accountID = accountID
        }
    }

    package let app: BundleIdentifier
    package let release: ReleaseIdentifier
    package let team: TeamIdentifier
    /// The number of days before their expiry at which profiles and certificates are renewed.
    package let renewalDays: Int
    /// The app's bundle first, then the nested ones that need a profile.
    package let bundles: [BundleIdentifier]
    /// By bundle; without the bundles for which the team has no profile.
    package let choices: [BundleIdentifier: Choice]
    /// Whether the build already has the profiles in ``choices``, or they do not suffice for it.
    package let isUnchanged: Bool
    /// Whether a build signed with ``choices`` would include more devices, or expire later.
    package let isBetter: Bool
    /// Whether the build is signed again automatically; otherwise its profiles are still renewed, for an
    /// admin who signs it.
    package let isKeptFresh: Bool

    package init(
        _ app: BundleIdentifier,
        _ release: ReleaseIdentifier,
        of team: TeamIdentifier,
        renewalDays: Int,
        bundles: [BundleIdentifier],
        choices: [BundleIdentifier: Choice],
        isUnchanged: Bool,
        isBetter: Bool,
        isKeptFresh: Bool = true,
    ) {
        self.app = app
        self.release = release
        self.team = team
        self.renewalDays = renewalDays
        self.bundles = bundles
        self.choices = choices
        self.isUnchanged = isUnchanged
        self.isBetter = isBetter
        self.isKeptFresh = isKeptFresh
    }
}

extension OfferedBuild {
    /// - Parameters:
    ///   - release: the offered release.
    ///   - report: its current report.
    ///   - team: the app's team.
    ///   - means: the team's identity and profiles; nil if it has no identity.
    ///   - days: the number of days before their expiry at which profiles are renewed.
    ///   - isKeptFresh: whether the build is signed again automatically.
    ///   - date: the current time.
    init(
        _ release: Release,
        _ report: InspectionReport,
        of team: Team,
        with means: SigningMeans?,
        renewalDays days: Int,
        isKeptFresh: Bool,
        at date: Date,
    ) {
        let nested = report.nested.filter(\.kind.hasOwnProfile)
        let names =
            [release.bundleIdentifier.rawValue] + nested.compactMap(\.bundleIdentifier)
        var seen: Set<String> = []
        let bundles = names.filter { seen.insert($0).inserted }.compactMap(BundleIdentifier.init)
        let serial = team.identity?.serial
        let found = means.flatMap { means in
            try? ProfileChoice(
                for: report,
                among: means.profiles,
                of: team.identifier.rawValue,
                signedBy: team.identity?.sha256,
                at: date,
            )
        }
        guard let found else {
            self.init(
                release.bundleIdentifier,
                release.identifier,
                of: team.identifier,
                renewalDays: days,
                bundles: bundles,
                choices: [:],
                isUnchanged: true,
                isBetter: false,
                isKeptFresh: isKeptFresh,
            )
            return
        }
        let accountIDs = Dictionary(
            team.profiles.compactMap { profile in profile.accountID.map { (profile.uuid, $0) } },
            uniquingKeysWith: { first, _ in first },
        )
        var choices: [BundleIdentifier: Choice] = [:]
        let paths =
            [(report.identity.path, release.bundleIdentifier.rawValue)]
            + nested.compactMap { bundle in bundle.bundleIdentifier.map { (bundle.path, $0) } }
        for (path, name) in paths {
            guard let facts = found.byPath[path]?.facts, let bundle = BundleIdentifier(name) else {
                continue
            }
            choices[bundle] = Choice(
                uuid: facts.uuid,
                expires: facts.expires,
                devices: facts.devices.map(Set.init),
                accountID: accountIDs[facts.uuid],
            )
        }
        let proposal = SigningProposal(found, insteadOf: report, at: date)
        let present = ([report.profile] + nested.map(\.profile)).compactMap(\.self)
        let end = present.map(\.expires).min() ?? .distantPast
        let newEnd = found.profiles.map(\.facts.expires).min() ?? .distantPast
        // A build that is signed with another certificate can no longer be installed once that is revoked.
        let isOurs = present.allSatisfy { profile in
            serial.map { own in profile.certificates.contains { $0.serial == own } } ?? true
        }
        self.init(
            release.bundleIdentifier,
            release.identifier,
            of: team.identifier,
            renewalDays: days,
            bundles: bundles,
            choices: choices,
            isUnchanged: proposal.isUnchanged,
            isBetter: !proposal.gained.isEmpty || newEnd > end || !isOurs,
            isKeptFresh: isKeptFresh,
        )
    }
}
