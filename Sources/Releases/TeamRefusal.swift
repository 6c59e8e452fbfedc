import Bytes
package import Essentials
package import Identifiers
package import Problems

/// Why a team cannot be added, changed or removed.
package enum TeamRefusal: ReportableError, Equatable {
    case unknown(String)
    case exists(TeamIdentifier)
    case badName(String)
    /// Builds of these apps are signed for the team.
    case inUse(TeamIdentifier, by: [Slug])
    /// The certificate belongs to another team.
    case otherIdentity(String, of: String?, expected: TeamIdentifier)
    case otherProfile(String, of: String?, expected: TeamIdentifier)
    case expiredProfile(String, on: Date)
    /// The profile is for the App Store, so devices cannot install its builds from this server.
    case appStoreProfile(String)
    /// The certificate of the team is not in one of its profiles.
    case certificateMissing(String, profile: String)
    case noApplicationIdentifier(profile: String)
    case unknownProfile(String, of: TeamIdentifier)
    case tooManyProfiles(limit: Int)
    /// A private key must be sealed, but there is no key file.
    case noKeyFile
    /// The team keeps a secret that is sealed with another key than the one in the given file; the
    /// identifiers of both keys.
    case otherKey(secret: String, sealedWith: String, given: String)
    /// Builds are to be signed automatically, but the app has no team.
    case noTeamForSigning

    package var description: String {
        switch self {
        case .unknown(let name): "there is no team \(quoted: name)"
        case .exists(let team): "the team \(team) already exists"
        case .badName(let name):
            "the name \(quoted: name) must be 1 to \(Team.nameLimit) printable characters"
        case .inUse(let team, let apps):
            "builds of " + apps.map(\.rawValue).joined(separator: ", ")
                + " are signed for team \(team)"
        case .otherIdentity(let name, let team, let expected):
            "the certificate \(name) belongs to \(Self.words(team)), not to \(expected)"
        case .otherProfile(let name, let team, let expected):
            "the profile \(quoted: name) belongs to \(Self.words(team)), not to \(expected)"
        case .expiredProfile(let name, let date):
            "the profile \(quoted: name) expired on \(date.ISO8601Format())"
        case .appStoreProfile(let name):
            "the profile \(quoted: name) is for the App Store: no device installs a build with it from "
                + "here"
        case .certificateMissing(let certificate, let profile):
            "the profile \(quoted: profile) does not list the certificate \(certificate)"
        case .noApplicationIdentifier(let profile):
            "the profile \(quoted: profile) grants no application identifier"
        case .unknownProfile(let name, let team):
            "the team \(team) has no profile \(quoted: name)"
        case .tooManyProfiles(let limit): "a team has at most \(limit) profiles"
        case .noKeyFile: "there is no key file to seal private keys with"
        case .otherKey(let secret, let sealed, let given):
            "the team's \(secret) is sealed with key \(sealed), but the given key file has key \(given)"
        case .noTeamForSigning: "the app has no team to sign its builds for"
        }
    }

    private static func words(_ team: String?) -> String { team.map { "team \($0)" } ?? "no team" }
}

extension TeamRefusal {
    package var id: String {
        switch self {
        case .unknown: "team.unknown"
        case .exists: "team.exists"
        case .badName: "team.bad-name"
        case .inUse: "team.in-use"
        case .otherIdentity: "team.other-identity"
        case .otherProfile: "team.other-profile"
        case .expiredProfile: "team.expired-profile"
        case .appStoreProfile: "team.app-store-profile"
        case .certificateMissing: "team.certificate-missing"
        case .noApplicationIdentifier: "team.no-application-identifier"
        case .unknownProfile: "team.unknown-profile"
        case .tooManyProfiles: "team.too-many-profiles"
        case .noKeyFile: "team.no-key-file"
        case .otherKey: "team.other-key"
        case .noTeamForSigning: "team.none-for-signing"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .unknown, .unknownProfile: .notFound
        case .exists, .inUse, .otherKey: .conflict
        case .badName, .otherIdentity, .otherProfile, .expiredProfile, .appStoreProfile,
            .certificateMissing, .noApplicationIdentifier, .tooManyProfiles, .noTeamForSigning:
            .invalid
        case .noKeyFile: .unavailable
        }
    }

    package var pageFix: String? {
        switch self {
        case .unknown: "go back to the list of teams: the team may have been removed"
        case .exists: "add files to it in the list of teams"
        case .inUse: "choose another team, or none, in the settings of each app first"
        case .noTeamForSigning: "choose a team, or turn off automatic signing"
        case .unknownProfile: "go back to the list of teams: the team may have been removed"
        case .tooManyProfiles: "remove profiles of the team first"
        case .noKeyFile: "the people who run the server have to start it with a key file"
        case .otherKey(let secret, _, _):
            "give the team's \(secret) again in the same form, or have the server started with the key "
                + "file that was used before"
        case .badName, .otherIdentity, .otherProfile, .expiredProfile, .appStoreProfile,
            .certificateMissing, .noApplicationIdentifier:
            nil
        }
    }

    package var fix: String {
        switch self {
        case .unknown: "see `ota teams list`, or add it with `ota teams add`"
        case .exists(let team): "change it with `ota teams set \(team)`"
        case .badName: "choose another name, such as Acme"
        case .inUse(_, let apps):
            "run `ota apps set \(apps.first?.rawValue ?? "APP") --team none` first"
        case .otherIdentity: "export a certificate of the team"
        case .otherProfile: "download a profile of the team"
        case .expiredProfile: "renew the profile on Apple's developer site and download it again"
        case .appStoreProfile: "create an Ad Hoc, development or In-House profile"
        case .certificateMissing:
            "edit the profile on Apple's developer site so that it lists the certificate, and give both "
                + "at once"
        case .noApplicationIdentifier: "download the profile from Apple's developer site again"
        case .unknownProfile(_, let team): "see `ota teams show \(team)`"
        case .tooManyProfiles: "remove profiles with --remove-profile"
        case .noKeyFile:
            "name a file outside the store with --key-file or OTA_KEY_FILE; for a server, start `ota "
                + "serve` with it"
        case .otherKey(let secret, let sealed, _):
            "use the key file with key \(sealed), or give the team's \(secret) again in the same command"
        case .noTeamForSigning: "give --team too"
        }
    }
}
