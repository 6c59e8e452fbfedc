import Access

/// Lists the teams for which the server signs, by identifier.
package struct ListTeams: Action {
    package typealias Answer = TeamsDocument
    package static let route = ActionRoute(.get, "/teams", .everywhere(.admin))

    package init() {}
}

/// Shows one team.
package struct ShowTeam: Action {
    package typealias Answer = TeamDocument
    package static let route = ActionRoute(.get, "/teams/{team}", .everywhere(.admin))

    package let team: String

    package init(_ team: String) {
        self.team = team
    }
}

/// Adds a team, and seals its identity.
package struct AddTeam: Action {
    package typealias Answer = TeamDocument
    package static let route = ActionRoute(
        .post,
        "/teams",
        .everywhere(.admin),
        bodyLimit: bodyLimit,
        success: .created,
    )
    /// The server's limit for any body, in bytes: enough for about twenty profiles.
    static let bodyLimit = 1 << 20

    package let content: NewTeam

    package init(_ team: NewTeam) {
        content = team
    }

    package static func location(of answer: TeamDocument) -> String? {
        "/teams/" + answer.team.identifier
    }
}

/// Changes the name, identity, profiles or API key of a team.
package struct ChangeTeam: Action {
    package typealias Answer = TeamDocument
    package static let route = ActionRoute(
        .patch,
        "/teams/{team}",
        .everywhere(.admin),
        bodyLimit: AddTeam.bodyLimit,
    )

    package let team: String
    package let content: TeamChange

    package init(_ team: String, _ change: TeamChange) {
        self.team = team
        content = change
    }
}

/// Removes a team with all copies of its private key in the store.
package struct RemoveTeam: Action {
    package typealias Answer = TeamDocument
    package static let route = ActionRoute(.delete, "/teams/{team}", .everywhere(.admin))

    package let team: String

    package init(_ team: String) {
        self.team = team
    }
}

extension NewTeam: ActionContent {
    package static var keys: Set<String> {
        ["identifier", "name", "identity", "profiles", "apiKey"]
    }
    package static var innerKeys: [String: Set<String>] {
        ["identity": IdentityUpload.keys, "apiKey": APIKeyUpload.keys]
    }
}

extension TeamChange: ActionContent {
    package static var keys: Set<String> {
        ["name", "identity", "profiles", "removedProfiles", "apiKey", "removeAPIKey"]
    }
    package static var innerKeys: [String: Set<String>] {
        ["identity": IdentityUpload.keys, "apiKey": APIKeyUpload.keys]
    }

    package var flaw: ContentFlaw? {
        guard apiKey != nil, removeAPIKey == true else { return nil }
        return ContentFlaw(
            "apiKey and removeAPIKey exclude each other",
            fix: "give only one of them; a new key replaces the current one",
        )
    }
}
