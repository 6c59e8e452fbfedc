package import AppleDeveloper
import Bytes
import Cryptography
package import Identifiers

/// Which team a developer account belongs to, as far as its contents show.
///
/// A key of another team would work, and everything would be made there. Certificates decide, for their
/// organizational unit is the team; App IDs do where there are none. Some App IDs of old teams begin with
/// another prefix than the team's, so one that begins with it is enough. An empty account shows nothing.
package enum AccountOwner {
    /// What says that the account is of another team.
    ///
    /// - Parameters:
    ///   - team: whose account it should be.
    ///   - certificates: of the account; nil where the key may not read them.
    ///   - bundleIDs: the same of its App IDs.
    /// - Returns: one clause; nil for what is the team's, and where nothing shows it.
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

    /// Asks the account itself.
    ///
    /// - Parameters:
    ///   - account: is read; nothing is changed there.
    ///   - team: whose it should be.
    /// - Throws: ``AccountRefusal/otherTeam(_:_:)``; ``AppleFailure``, but not for what the key may not
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

    /// - Returns: nil for what is refused to the key.
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
