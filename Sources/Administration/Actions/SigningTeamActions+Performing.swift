package import APIDocuments
import Cryptography
import Foundation
import Identifiers
import Releases
import Store

extension Actions {
    static let teams: [any PerformedAction.Type] = [
        ListTeams.self, AddTeam.self, ShowTeam.self, ChangeTeam.self, RemoveTeam.self,
        CheckTeam.self, SyncTeam.self, CreateCertificate.self,
    ]
}

extension ListTeams: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> TeamsDocument {
        let store = administration.admin.store
        let apps = try store.appsOfTeams()
        return TeamsDocument(
            teams: try store.teams().map {
                TeamEntry($0, apps: (apps[$0.identifier] ?? []).map(\.bundleIdentifier.rawValue))
            }
        )
    }
}

extension ShowTeam: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> TeamDocument {
        let admin = administration.admin
        return TeamDocument(team: try admin.entry(try admin.team(named: team)))
    }
}

extension AddTeam: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> TeamDocument {
        let admin = administration.admin
        let now = admin.clock()
        let identifier = content.identifier
        guard try admin.store.team(identifier) == nil else { throw TeamRefusal.exists(identifier) }
        var team = Team(identifier, name: "", added: now, addedBy: admin.name)
        var change = TeamMaterial(administration, at: now)
        try change.read(content.profiles ?? [], of: identifier)
        try change.read(content.identity, of: team)
        try change.read(content.apiKey, of: identifier)
        team.name = try Administrator.check(
            teamName: content.name ?? change.organization ?? identifier.rawValue
        )
        try change.apply(to: &team)
        if team.account != nil { try admin.assignDevices(before: identifier, at: now) }
        let detail = [identifier.rawValue, team.account.map { "API key \($0.keyID)" }]
            .compactMap(\.self).joined(separator: ", ")
        let told = admin.activity(.teamAdded, team.name, detail: detail, at: now)
        guard try admin.store.add(team, recording: [told]) else {
            throw TeamRefusal.exists(identifier)
        }
        return TeamDocument(team: try admin.entry(team), createdKeyFile: change.createdKeyFile)
    }
}

extension ChangeTeam: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> TeamDocument {
        let admin = administration.admin
        let now = admin.clock()
        let before = try admin.team(named: team)
        var change = TeamMaterial(administration, at: now)
        change.keepSecrets(of: before, unless: content)
        try change.read(content.profiles ?? [], of: before.identifier)
        change.remove(content.removedProfiles ?? [])
        try change.read(content.identity, of: before)
        try change.read(content.apiKey, of: before.identifier)
        if content.removeAPIKey == true { change.removeAccount() }
        let name = try content.name.map { try Administrator.check(teamName: $0) }
        if content.apiKey != nil, before.account == nil {
            try admin.assignDevices(before: before.identifier, at: now)
        }
        var told: [Activity] = []
        let after = try admin.store.changeTeam(
            before.identifier,
            { team in
                team.name = name ?? team.name
                try change.apply(to: &team)
                let difference = Administrator.difference(before, team)
                told = [admin.activity(.teamChanged, team.name, detail: difference, at: now)]
            },
            recording: { told },
        )
        return TeamDocument(team: try admin.entry(after), createdKeyFile: change.createdKeyFile)
    }
}

extension RemoveTeam: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> TeamDocument {
        let admin = administration.admin
        let found = try admin.team(named: team)
        let apps = try admin.store.appsOfTeams()[found.identifier] ?? []
        guard apps.isEmpty else {
            throw TeamRefusal.inUse(found.identifier, by: apps.map(\.slug))
        }
        let now = admin.clock()
        let removed = try admin.store.removeTeam(found.identifier) { team in
            let detail = team.identifier.rawValue
            return [admin.activity(.teamRemoved, team.name, detail: detail, at: now)]
        }
        guard let removed else { throw TeamRefusal.unknown(team) }
        return TeamDocument(team: TeamEntry(removed, apps: []))
    }
}
