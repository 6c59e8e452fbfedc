import Cryptography
package import Releases

/// Teams whose private keys cannot be decrypted with the current key file, so that nothing can be signed
/// for them.
package struct LockedTeams: Sendable, Equatable {
    /// The teams in the order of their identifiers; at least one.
    package let teams: [Team]
    /// The reason, as one clause.
    package let reason: String
    /// What to do about it, as one clause.
    package let fix: String

    /// The names with identifiers: `Acme (ABCDE12345), Other (OTHERTEAM9)`.
    package var names: String {
        teams.map { "\($0.name) (\($0.identifier))" }.joined(separator: ", ")
    }
}

extension OTAStore {
    /// Finds the teams whose private key cannot be decrypted with the key in a key file.
    ///
    /// - Parameter file: the key file with which the process was started; nil for none.
    /// - Returns: the teams whose key cannot be decrypted; nil if there are none, including when no team
    ///   has a key.
    /// - Throws: ``StoreFailure``. An unreadable key file is not an error but a reason in the result.
    package func lockedTeams(by file: SealingKeyFile?) throws(StoreFailure) -> LockedTeams? {
        let sealed = try teams().filter { $0.identity != nil }
        guard !sealed.isEmpty else { return nil }
        guard let file else {
            return LockedTeams(
                teams: sealed,
                reason: "the server was started without a key file",
                fix: "start the server with --key-file or OTA_KEY_FILE, naming the file that "
                    + "`ota teams add` made",
            )
        }
        do throws(KeyFileRefusal) {
            let key = try file.key(for: self).identifier
            let others = sealed.filter { $0.identity?.sealed.key != key }
            guard !others.isEmpty else { return nil }
            let keys = Set(others.compactMap(\.identity?.sealed.key)).sorted()
            return LockedTeams(
                teams: others,
                reason: (others.count == 1 ? "it is" : "they are")
                    + " sealed with key \(keys.joined(separator: " and ")), but the key file has "
                    + "key \(key)",
                fix:
                    "start the server with the previous key file, or set each identity again with "
                    + "`ota teams set`",
            )
        } catch {
            return LockedTeams(teams: sealed, reason: error.description, fix: error.fix)
        }
    }
}
