import APIDocuments
import Bytes
import Identifiers
package import Releases
import Store

extension Administrator {
    /// The team that an admin names by its identifier, in upper or lower case.
    ///
    /// - Throws: ``TeamRefusal/unknown(_:)``, ``StoreFailure``.
    package func team(named text: String) throws -> Team {
        guard let identifier = TeamIdentifier(text.uppercased()),
            let team = try store.team(identifier)
        else { throw TeamRefusal.unknown(PrintableText(escaping: text).text) }
        return team
    }

    /// The team for documents, with the apps that use it.
    func entry(_ team: Team) throws -> TeamEntry {
        let apps = try store.appsOfTeams()[team.identifier] ?? []
        return TeamEntry(team, apps: apps.map(\.bundleIdentifier.rawValue))
    }

    /// - Returns: the unchanged name.
    /// - Throws: ``TeamRefusal/badName(_:)``.
    static func check(teamName name: String) throws(TeamRefusal) -> String {
        guard PrintableText.isName(name, limit: Team.nameLimit) else {
            throw .badName(PrintableText(escaping: name).text)
        }
        return name
    }

    /// What changed, for the activity; contains nothing of a file's contents.
    static func difference(_ before: Team, _ after: Team) -> String {
        var parts: [String] = []
        if before.name != after.name { parts.append("name \(before.name) → \(after.name)") }
        if let identity = after.identity, before.identity?.sha256 != identity.sha256 {
            parts.append("certificate \(identity.commonName)")
        } else if before.identity != after.identity {
            parts.append("identity sealed again")
        }
        if let account = after.account {
            if before.account?.sealed != account.sealed { parts.append("API key \(account.keyID)") }
        } else if let account = before.account {
            parts.append("without API key \(account.keyID)")
        }
        let (old, new) = (Set(before.profiles.map(\.uuid)), Set(after.profiles.map(\.uuid)))
        parts += after.profiles.filter { !old.contains($0.uuid) }.map { "profile \($0.name)" }
        parts += before.profiles.filter { !new.contains($0.uuid) }.map {
            "without profile \($0.name)"
        }
        return parts.joined(separator: ", ")
    }
}

extension OTAStore {
    /// The apps whose builds are signed for each team; damaged apps are left out.
    func appsOfTeams() throws(StoreFailure) -> [TeamIdentifier: [AppRecord]] {
        var found: [TeamIdentifier: [AppRecord]] = [:]
        for app in try apps() {
            if let team = app.team { found[team, default: []].append(app) }
        }
        return found
    }
}
