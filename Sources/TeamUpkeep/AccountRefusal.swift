import Bytes
package import Identifiers
package import Problems

/// Why nothing is done in the developer account of a team.
package enum AccountRefusal: ReportableError, Equatable {
    /// No key of the API was given.
    case none(TeamIdentifier)
    /// Nothing on this machine opens the key of the API.
    case noKeyFile
    /// No admin has agreed to the first comparison yet.
    case notAgreed(TeamIdentifier)

    package var description: String {
        switch self {
        case .none(let team): "the team \(team) has no key for the App Store Connect API"
        case .noKeyFile: "there is no key file to open the team's API key with"
        case .notAgreed(let team):
            "no admin has agreed yet to what this server would change at Apple for the team \(team)"
        }
    }

    package var id: String {
        switch self {
        case .none: "team.no-account"
        case .noKeyFile: "team.account-sealed"
        case .notAgreed: "team.not-agreed"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .none, .notAgreed: .conflict
        case .noKeyFile: .unavailable
        }
    }

    package var fix: String {
        switch self {
        case .none(let team):
            "add one with `ota teams set \(team) --api-key AuthKey_KEYID.p8 --issuer ID`"
        case .noKeyFile:
            "give --key-file or OTA_KEY_FILE; for a server, start the server with it"
        case .notAgreed(let team):
            "see what that is with `ota teams sync \(team) --dry-run`, and agree with `ota teams sync "
                + "\(team)`"
        }
    }
}
