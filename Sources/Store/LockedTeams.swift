import Cryptography
package import Releases

/// Teams whose private keys cannot be opened with the key file that there is, so that nothing can be
/// signed in their name.
package struct LockedTeams: Sendable, Equatable {
    /// By identifier; at least one.
    package let teams: [Team]
    /// As one clause.
    package let reason: String
    /// What to do about it, as one clause.
    package let fix: String

    /// `Acme (ABCDE12345), Other (OTHERTEAM9)`.
    package var names: String {
        teams.map { "\($0.name) (\($0.identifier))" }.joined(separator: ", ")
    }
}

extension OTAStore {
    /// Looks whether the private key of every team was sealed with the key of a key file.
    ///
    /// - Parameter file: what the process was started with; nil for none.
    /// - Returns: the teams whose key cannot be opened; nil if all can, and if no team has one.
    /// - Throws: ``StoreFailure``. A key file that cannot be read is a reason, and no error.
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
                    + " sealed with key \(keys.joined(separator: " and ")), and the key file holds "
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
