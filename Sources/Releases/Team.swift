package import Essentials
package import Identifiers

/// One team of developers at Apple, and what the server signs with in its name:
/// `teams/{identifier}.json`.
package struct Team: Codable, Sendable, Equatable {
    package var schema = 1
    package let identifier: TeamIdentifier
    package var name: String
    /// nil while the team has none; then nothing can be signed.
    package var identity: TeamIdentity?
    /// The ones that end first come first.
    package private(set) var profiles: [TeamProfile]
    /// What the App Store Connect API calls profiles that this server made and the team no longer has,
    /// until they are deleted there.
    package private(set) var replaced: [String]?
    /// Its developer account; nil while the server has no key for it.
    package var account: TeamAccount?
    package let added: Date
    package let addedBy: String

    /// In characters.
    package static let nameLimit = 80
    /// Each bundle identifier that is not a wildcard's needs one of its own.
    package static let profileLimit = 100
    /// Of ``replaced``; the oldest are forgotten.
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

    /// Adds a profile in place of the one for the same bundle identifier and the same kind of
    /// distribution, if there is one.
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
    /// - Returns: the profile; nil if the team has none of that UUID.
    package mutating func removeProfile(_ uuid: String) -> TeamProfile? {
        guard let index = profiles.firstIndex(where: { $0.uuid == uuid }) else { return nil }
        note(replaced: [profiles[index]])
        return profiles.remove(at: index)
    }

    /// Forgets profiles that are deleted in the developer account.
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
    /// The team to whose developer account the device belongs: the one that it names, or the only one
    /// that has an account.
    ///
    /// - Parameter teams: every team.
    /// - Returns: nil where the device names none and several teams have an account.
    package func owner(among teams: [Team]) -> Team? {
        if let team { return teams.first { $0.identifier.rawValue == team } }
        let owners = teams.filter { $0.account != nil }
        return owners.count == 1 ? owners[0] : nil
    }
}
