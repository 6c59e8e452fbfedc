import Bytes
package import Identifiers
package import Problems

/// Why nothing can be done in the developer account of a team.
package enum AccountRefusal: ReportableError, Equatable {
    /// The team has no API key.
    case none(TeamIdentifier)
    /// This machine cannot unseal the API key.
    case noKeyFile
    /// No admin has approved the first comparison yet.
    case notAgreed(TeamIdentifier)
    /// The key is for the account of another team; with the evidence, as one clause.
    case otherTeam(TeamIdentifier, String)

    package var description: String {
        switch self {
        case .none(let team): "the team \(team) has no key for the App Store Connect API"
        case .noKeyFile: "there is no key file to open the team's API key with"
        case .notAgreed(let team):
            "no admin has yet allowed this server to make changes at Apple for the team \(team)"
        case .otherTeam(_, let reason): "the key is of another team: \(reason)"
        }
    }

    package var id: String {
        switch self {
        case .none: "team.no-account"
        case .noKeyFile: "team.account-sealed"
        case .notAgreed: "team.not-agreed"
        case .otherTeam: "team.other-account"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .none, .notAgreed, .otherTeam: .conflict
        case .noKeyFile: .unavailable
        }
    }

    package var pageFix: String? {
        switch self {
        case .none: "add the team’s API key under “Replace certificate, profiles or API key”"
        case .noKeyFile: "the people who run the server have to start it with the key file"
        case .notAgreed: "compare the devices of the team, and allow the changes"
        case .otherTeam: "replace the team’s API key with one from its own account"
        }
    }

    package var fix: String {
        switch self {
        case .none(let team):
            "add one with `ota teams set \(team) --api-key AuthKey_KEYID.p8 --issuer ID`"
        case .noKeyFile:
            "give --key-file or OTA_KEY_FILE; a server has to be started with it"
        case .notAgreed(let team):
            "see which with `ota teams sync \(team) --dry-run`, and allow them with `ota teams sync "
                + "\(team)`"
        case .otherTeam(let team, _): "give the team \(team) a key of its own account"
        }
    }
}
