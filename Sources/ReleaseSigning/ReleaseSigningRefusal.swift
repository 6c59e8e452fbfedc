import Bytes
package import Inspection
package import Problems
package import Releases

/// Why a release is not signed again, or a build not signed.
package enum ReleaseSigningRefusal: ReportableError, Equatable, Sendable {
    /// The release is withdrawn, so no device installs it.
    case withdrawn(ReleaseIdentifier)
    /// The app has no team, and none was named.
    case noTeam(app: String)
    /// Another team than the app's own, named by a token that is not an admin's.
    case otherTeam(String)
    /// An unsigned build of an app whose builds the server does not sign.
    case manual(app: String)
    case noIdentity(team: String)
    /// No profile of the team is for this bundle; the value names bundle identifier and team.
    case noProfile(bundle: String, team: String)
    /// The IPA that was published is no longer kept.
    case originalPruned(ReleaseIdentifier)
    /// The result is another app, version or build than the release.
    case otherBuild(found: String, expected: String)
    /// The result would install on no device.
    case blocked(InspectionReport)
    /// The store is no folder on this machine, and signing needs files.
    case noFolder
    /// Nothing on this machine can sign: the server was started without a key file.
    case noSigner
}

extension ReleaseSigningRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .withdrawn(let release): "release \(release) is withdrawn"
        case .noTeam(let app): "\(quoted: app) has no team, so no identity can sign it"
        case .manual(let app): "builds of \(quoted: app) are not set to be signed by this server"
        case .otherTeam(let team): "only an admin may sign in the name of \(quoted: team)"
        case .noIdentity(let team): "the team \(team) has no identity to sign with"
        case .noProfile(let bundle, let team):
            "the team \(team) has no current profile for \(quoted: bundle) that allows installation"
        case .originalPruned(let release):
            "the file published as \(release) is no longer in the store"
        case .otherBuild(let found, let expected):
            "the signed build is \(quoted: found), not \(quoted: expected)"
        case .blocked(let report):
            "the signed build could not be installed on any device: "
                + report.findings.filter(\.blocksEveryDevice).map(\.message)
                .joined(separator: " ")
        case .noFolder: "signing needs a store in a folder on this machine"
        case .noSigner: "no key file was given to open the team's identity"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .otherTeam: .refused
        case .withdrawn, .noTeam, .manual, .noIdentity, .noProfile: .conflict
        case .originalPruned: .gone
        case .otherBuild, .blocked: .invalid
        case .noFolder, .noSigner: .conflict
        }
    }

    package var id: String {
        switch self {
        case .withdrawn: "signing.withdrawn"
        case .noTeam: "signing.no-team"
        case .manual: "signing.manual"
        case .otherTeam: "signing.other-team"
        case .noIdentity: "signing.no-identity"
        case .noProfile: "signing.no-profile"
        case .originalPruned: "signing.original-pruned"
        case .otherBuild: "signing.other-build"
        case .blocked(let report):
            report.findings.first(where: \.blocksEveryDevice)?.id ?? "signing.blocked"
        case .noFolder: "signing.no-folder"
        case .noSigner: "signing.no-signer"
        }
    }

    package var place: String {
        switch self {
        case .noProfile(let bundle, _): PrintableText(escaping: bundle).text
        case .blocked(let report):
            report.findings.first(where: \.blocksEveryDevice)?.place ?? report.identity.path
        default: ""
        }
    }

    package var fix: String {
        switch self {
        case .withdrawn: "restore it with `ota releases restore`"
        case .noTeam: "choose one with `ota apps set APP --team TEAMID`, or give --team"
        case .manual:
            "publish its first build with `ota publish`, then run `ota apps set APP --team TEAMID "
                + "--signing automatic`"
        case .otherTeam: "omit the team, or use a token with the scope admin"
        case .noIdentity(let team): "add one with `ota teams set \(team) --identity FILE`"
        case .noProfile(_, let team):
            "create an Ad Hoc profile for it at developer.apple.com with the team's certificate, and "
                + "add it with `ota teams set \(team) --profile FILE`, or give it with --profile"
        case .originalPruned: "publish a new build"
        case .otherBuild: "publish that build as a release of its own"
        case .blocked(let report):
            report.findings.first(where: \.blocksEveryDevice)?.fix ?? "see `ota validate`"
        case .noFolder: "run the command on the machine that has the store"
        case .noSigner: "start the server with --key-file, or set OTA_KEY_FILE"
        }
    }

    package var pageFix: String? {
        switch self {
        case .withdrawn: "restore it first"
        case .noTeam: "choose the app's team in its settings"
        case .noProfile:
            "create an Ad Hoc profile for it at developer.apple.com with the team's certificate, and "
                + "add it to the team"
        default: nil
        }
    }
}
