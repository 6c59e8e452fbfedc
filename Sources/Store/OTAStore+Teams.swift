package import Cryptography
package import Identifiers
package import Releases

extension OTAStore {
    /// All teams, sorted by identifier.
    package func teams() throws(StoreFailure) -> [Team] {
        var teams: [Team] = []
        for file in try names(in: .teams) where file.hasSuffix(".json") {
            guard let identifier = TeamIdentifier(String(file.dropLast(5))) else { continue }
            // Nil if it was removed after the listing.
            if let team = try team(identifier) { teams.append(team) }
        }
        return teams.sorted { $0.identifier < $1.identifier }
    }

    /// - Returns: nil for an unknown team.
    package func team(_ identifier: TeamIdentifier) throws(StoreFailure) -> Team? {
        try value(Team.self, .team(identifier))
    }

    /// Adds a team and records activity in one step.
    ///
    /// - Returns: false if the team already exists; then nothing has changed.
    package func add(
        _ team: Team,
        recording activities: [Activity] = [],
    ) throws(StoreFailure) -> Bool {
        let entry = try Self.entry(of: activities)
        return try write(team, to: .team(team.identifier), if: .absent, adding: entry)
    }

    /// Changes a team.
    ///
    /// A secret that the change replaces or removes is also deleted from the previous generation of the
    /// document: that of the identity, of the developer account, or of a requested certificate.
    ///
    /// - Throws: the errors of `change`, ``StoreFailure/missing(path:)`` for an unknown team.
    @discardableResult
    package func changeTeam(
        _ identifier: TeamIdentifier,
        _ change: (inout Team) throws -> Void,
    ) throws -> Team {
        var before: [SealedBytes] = []
        let result = try self.change(.team(identifier), else: nil) { (team: inout Team) in
            before = team.secrets
            try change(&team)
        }
        if !result.value.keepsAll(of: before) {
            try backend.forgetPrevious(of: .team(identifier))
        }
        return result.value
    }

    /// Deletes the earlier generations of teams that contain a secret which the team itself no longer has.
    ///
    /// A process may have ended between such a change and the deletion of the replaced secret.
    ///
    /// - Returns: the number of deleted generations.
    @discardableResult
    package func forgetReplacedSecrets() throws(StoreFailure) -> Int {
        var count = 0
        for file in try backend.names(in: .teams) where file.hasSuffix(".json") {
            let name = try DocumentName.teams.appending(file)
            // A team that cannot be read may need its earlier generation.
            guard let team = try readable(name, backend.read),
                let previous = try readable(name, backend.previous),
                !team.keepsAll(of: previous.secrets)
            else { continue }
            try backend.forgetPrevious(of: name)
            count += 1
        }
        return count
    }

    /// - Returns: nil for a team that does not exist or cannot be read.
    private func readable(
        _ name: DocumentName,
        _ read: (DocumentName) throws(StoreFailure) -> StoredDocument?,
    ) throws(StoreFailure) -> Team? {
        do throws(StoreFailure) {
            guard let document = try read(name) else { return nil }
            return try DocumentCoding.decode(Team.self, from: document.bytes, path: name.path)
        } catch {
            guard error.concernsOnePlace else { throw error }
            return nil
        }
    }

    /// Removes a team with all copies of its secrets in the store.
    ///
    /// The next ``collect(olderThan:isDryRun:)`` deletes the bytes of its profiles.
    ///
    /// - Parameters:
    ///   - identifier: the team.
    ///   - recording: the activities that record the removal, all with the same date.
    /// - Returns: the removed team; nil if there was none.
    /// - Throws: ``StoreFailure``.
    package func removeTeam(
        _ identifier: TeamIdentifier,
        recording: (Team) -> [Activity] = { _ in [] },
    ) throws(StoreFailure) -> Team? {
        let name = DocumentName.team(identifier)
        while true {
            guard let document = try backend.read(name) else { return nil }
            let team = try DocumentCoding.decode(Team.self, from: document.bytes, path: name.path)
            do throws(StoreFailure) {
                if let entry = try Self.entry(of: recording(team)) {
                    try backend.delete(name, at: document.version, adding: entry)
                } else {
                    try backend.delete(name, at: document.version)
                }
            } catch {
                if case .conflict = error { continue }
                throw error
            }
            cache.forget(name)
            cache.forget(.teams)
            return team
        }
    }

    /// The identity of a team, ready to sign.
    ///
    /// - Returns: nil for an unknown team and for one without an identity.
    /// - Throws: ``StoreFailure``, `SealRefusal`.
    package func signingIdentity(
        of identifier: TeamIdentifier,
        with key: SealingKey,
    ) throws -> SigningIdentity? {
        try team(identifier)?.identity?.opened(of: identifier, with: key)
    }

    /// The bytes of a team's provisioning profile, as signed by Apple.
    package func bytes(of profile: TeamProfile) throws(StoreFailure) -> [UInt8] {
        try bytes(of: profile.digest, atMost: 4 << 20)
    }
}

extension DocumentName {
    static let teams = DocumentName(known: "teams")

    /// Team identifiers use only characters that are allowed in names.
    static func team(_ identifier: TeamIdentifier) -> DocumentName {
        DocumentName(known: "teams", "\(identifier).json")
    }
}

extension Team {
    /// All sealed secrets in the document; empty if the team has neither an identity nor an account.
    var secrets: [SealedBytes] {
        [identity?.sealed, account?.sealed, account?.requested?.sealed].compactMap(\.self)
    }

    /// Whether all sealed secrets of an earlier generation are still in this one.
    func keepsAll(of earlier: [SealedBytes]) -> Bool {
        let present = secrets
        return earlier.allSatisfy(present.contains)
    }
}
