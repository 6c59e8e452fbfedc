package import AppleDeveloper
import Bytes
import Cryptography
package import Identifiers

/// Determines from its contents which team a developer account belongs to.
///
/// Another team's key would work, and everything would be created in its account. Certificates are
/// decisive, because their organizational unit is the team; without any, App IDs are. Some App IDs of old
/// teams begin with a prefix other than the team's, so a single one with the team's prefix is enough. An
/// empty account is inconclusive.
package enum AccountOwner {
    /// Returns the evidence that the account belongs to another team.
    ///
    /// - Parameters:
    ///   - team: the team to which the account should belong.
    ///   - certificates: the account's certificates; nil if the key may not read them.
    ///   - bundleIDs: the account's App IDs; nil if the key may not read them.
    /// - Returns: one clause; nil if the account is the team's, or there is no evidence.
    static func contradiction(
        to team: TeamIdentifier,
        in certificates: [AccountCertificate]?,
        _ bundleIDs: [AccountBundleID]?,
    ) -> String? {
        let units = Set((certificates ?? []).compactMap { $0.certificate?.signingTeam })
        if !units.isEmpty { return contradiction(to: team, by: units, "certificates") }
        let prefixes = Set((bundleIDs ?? []).compactMap(\.prefix)).subtracting([""])
        return contradiction(to: team, by: prefixes, "App IDs")
    }

    /// Checks the owner by reading the account.
    ///
    /// - Parameters:
    ///   - account: the account, which is not changed.
    ///   - team: the team to which the account should belong.
    /// - Throws: ``AccountRefusal/otherTeam(_:_:)``; ``AppleFailure``, except for what the key may not
    ///   read.
    package static func check(
        _ account: DeveloperAccount,
        of team: TeamIdentifier,
    ) async throws {
        let certificates = try await readable { () async throws(AppleFailure) in
            try await account.certificates()
        }
        let hasOwner = (certificates ?? []).contains { $0.certificate?.signingTeam != nil }
        let bundleIDs =
            hasOwner
            ? nil
            : try await readable { () async throws(AppleFailure) in
                try await account.bundleIDs()
            }
        if let reason = contradiction(to: team, in: certificates, bundleIDs) {
            throw AccountRefusal.otherTeam(team, reason)
        }
    }

    private static func contradiction(
        to team: TeamIdentifier,
        by owners: Set<String>,
        _ what: String,
    ) -> String? {
        guard !owners.isEmpty, !owners.contains(team.rawValue) else { return nil }
        let names = owners.sorted().prefix(3).map { PrintableText(escaping: $0, limit: 40).text }
        return "its \(what) are of \(quoted: names)"
    }

    /// - Returns: nil if the key may not read this.
    private static func readable<Value>(
        _ read: () async throws(AppleFailure) -> Value
    ) async throws(AppleFailure) -> Value? {
        do throws(AppleFailure) {
            return try await read()
        } catch .roleMissing {
            return nil
        } catch {
            throw error
        }
    }
}
