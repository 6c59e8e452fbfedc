package import Essentials
package import Identifiers

/// An Apple developer team with its signing identity and profiles: `teams/{identifier}.json`.
package struct Team: Codable, Sendable, Equatable {
    package var schema = 1
    package let identifier: TeamIdentifier
    package var name: String
    /// Nil if the team has none; then nothing can be signed.
    package var identity: TeamIdentity?
    /// In the order of their expiry.
    package private(set) var profiles: [TeamProfile]
    /// The App Store Connect IDs of profiles that this server created and the team no longer uses, until
    /// they are deleted there.
    package private(set) var replaced: [String]?
    /// Its developer account; nil if the server has no API key for it.
    package var account: TeamAccount?
    package let added: Date
    package let addedBy: String

    /// In characters.
    package static let nameLimit = 80
    /// The most profiles; each bundle identifier needs its own, unless a wildcard profile matches it.
    package static let profileLimit = 100
    /// The most entries of ``replaced``; the oldest are removed.
    private static let replacedLimit = 200

    package init(
        _ identifier: TeamIdentifier,
        name: String,
        added: Date,
        addedBy: String,
    ) {
        self.identifier = identifier
        self.name = name
        profiles = []
        self.added = added
        self.addedBy = addedBy
    }

    /// Adds a profile, which replaces the one for the same bundle identifier and kind of distribution.
    package mutating func add(_ profile: TeamProfile) {
        let isFormer: (TeamProfile) -> Bool = {
            $0.uuid == profile.uuid
                || ($0.kind == profile.kind && $0.bundleIdentifier == profile.bundleIdentifier)
        }
        note(replaced: profiles.filter(isFormer))
        profiles.removeAll(where: isFormer)
        profiles.append(profile)
        forget(replaced: [profile.accountID].compactMap(\.self))
        profiles.sort { ($0.expires, $0.uuid) < ($1.expires, $1.uuid) }
    }

    /// Removes a profile.
    ///
    /// - Returns: the profile; nil if the team has none with this UUID.
    package mutating func removeProfile(_ uuid: String) -> TeamProfile? {
        guard let index = profiles.firstIndex(where: { $0.uuid == uuid }) else { return nil }
        note(replaced: [profiles[index]])
        return profiles.remove(at: index)
    }

    /// Removes profiles from ``replaced`` that have been deleted in the developer account.
    package mutating func forget(replaced deleted: [String]) {
        let rest = (replaced ?? []).filter { !deleted.contains($0) }
        replaced = rest.isEmpty ? nil : rest
    }

    private mutating func note(replaced former: [TeamProfile]) {
        let identifiers = former.compactMap(\.accountID)
        guard !identifiers.isEmpty else { return }
        forget(replaced: identifiers)
        replaced = ((replaced ?? []) + identifiers).suffix(Self.replacedLimit)
    }
}

extension Device {
    /// The team to whose developer account the device belongs: its own, or the only one with an account.
    ///
    /// - Parameter teams: all teams.
    /// - Returns: nil if the device has no team and several teams have an account.
    package func owner(among teams: [Team]) -> Team? {
        if let team { return teams.first { $0.identifier.rawValue == team } }
        let owners = teams.filter { $0.account != nil }
        return owners.count == 1 ? owners[0] : nil
    }
}
