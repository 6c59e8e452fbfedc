import Bytes
package import Inspection
package import Problems
package import Releases
package import Signing

/// Why a release cannot be re-signed, or a build cannot be signed.
package enum ReleaseSigningRefusal: ReportableError, Equatable, Sendable {
    /// The release is withdrawn, so no device can install it.
    case withdrawn(ReleaseIdentifier)
    /// The app has no team, and the request named none.
    case noTeam(app: String)
    /// The token is not an admin's, but the request names a team other than the app's.
    case otherTeam(String)
    /// The build is unsigned, but the server does not sign this app's builds.
    case manual(app: String)
    /// The build is unsigned, and the store has no app with its bundle identifier.
    case noApp(String)
    case noIdentity(team: String)
    /// The team has no profiles for these bundle identifiers, of which there is at least one; with
    /// whether this server creates the team's profiles at Apple.
    case noProfile(bundles: [String], team: String, isMadeHere: Bool)
    /// A given profile cannot be used for the bundle with this identifier; with the profile's file, if it
    /// is the cause.
    case profileUnusable(BundleFault, bundle: String, file: String)
    /// The published IPA was deleted.
    case originalPruned(ReleaseIdentifier)
    /// Signing needs this number of bytes in addition to the reserve.
    case noRoom(Int, free: Int, reserve: Int)
    /// The result is another app, version or build than the release.
    case otherBuild(found: String, expected: String)
    /// No device could install the result.
    case blocked(InspectionReport)
    /// The store is not a folder on this machine, but signing needs files.
    case noFolder
    /// This machine cannot sign: the server was started without a key file.
    case noSigner
}

extension ReleaseSigningRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .withdrawn(let release): "the release \(release) is withdrawn"
        case .noTeam(let app): "\(quoted: app) has no team, so no identity can sign it"
        case .manual(let app): "builds of \(quoted: app) are not set to be signed by this server"
        case .noApp(let identifier):
            "there is no app \(quoted: identifier) yet, so no team signs its builds"
        case .otherTeam(let team): "only an admin may sign for the team \(quoted: team)"
        case .noIdentity(let team): "the team \(team) has no identity to sign with"
        case .noProfile(let bundles, let team, _):
            "the team \(team) has no current "
                + (bundles.count == 1 ? "profile for " : "profiles for ") + Self.list(bundles)
                + (bundles.count == 1 ? " that allows installation" : " that allow installation")
        case .profileUnusable(let fault, let bundle, _): "\(quoted: bundle) \(fault)"
        case .originalPruned(let release):
            "the file published as \(release) is no longer in the store"
        case .noRoom(let size, let free, let reserve):
            "signing needs \(Wording.size(size)), but the disk has \(Wording.size(free)) free, of which "
                + "\(Wording.size(reserve)) must stay free"
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

    /// The maximum number of bundles listed in the message; no app has more extensions.
    private static let listed = 40

    private static func list(_ bundles: [String]) -> String {
        let shown = bundles.prefix(listed).map { "\(quoted: $0)" }
        let more = bundles.count - shown.count
        return shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }

    package var kind: Problem.Kind {
        switch self {
        case .otherTeam: .refused
        case .withdrawn, .noTeam, .manual, .noApp, .noIdentity, .noProfile: .conflict
        case .profileUnusable(let fault, _, _): fault.kind
        case .originalPruned: .gone
        case .noRoom: .outOfRoom
        case .otherBuild, .blocked: .invalid
        case .noFolder, .noSigner: .conflict
        }
    }

    package var id: String {
        switch self {
        case .withdrawn: "signing.withdrawn"
        case .noTeam: "signing.no-team"
        case .manual: "signing.manual"
        case .noApp: "signing.no-app"
        case .otherTeam: "signing.other-team"
        case .noIdentity: "signing.no-identity"
        case .noProfile: "signing.no-profile"
        case .profileUnusable(let fault, _, _): fault.id
        case .originalPruned: "signing.original-pruned"
        case .noRoom: "signing.no-room"
        case .otherBuild: "signing.other-build"
        case .blocked(let report):
            report.findings.first(where: \.blocksEveryDevice)?.id ?? "signing.blocked"
        case .noFolder: "signing.no-folder"
        case .noSigner: "signing.no-signer"
        }
    }

    package var place: String {
        switch self {
        case .noProfile(let bundles, _, _):
            bundles.prefix(Self.listed).map { PrintableText(escaping: $0).text }
                .joined(separator: ", ")
        case .profileUnusable(_, let bundle, let file):
            PrintableText(escaping: file.isEmpty ? bundle : file).text
        case .blocked(let report):
            report.findings.first(where: \.blocksEveryDevice)?.place ?? report.identity.path
        default: ""
        }
    }

    package var fix: String {
        switch self {
        case .withdrawn: "restore it with `ota releases restore`"
        case .noTeam: "choose one with `ota apps set APP --team TEAMID`, or give --team"
        case .manual(let app): "run `ota apps set \(app) --team TEAMID --signing automatic`"
        case .noApp(let identifier):
            "run `ota apps add \(identifier) --team TEAMID --signing automatic`"
        case .otherTeam: "omit the team, or use a token with the scope admin"
        case .noIdentity(let team): "add one with `ota teams set \(team) --identity FILE`"
        case .noProfile(_, let team, isMadeHere: true):
            "this server creates the team's profiles: see in `ota jobs list` why its job renew-profile is "
                + "waiting, or start one with `ota teams sync \(team)`, and try again"
        case .noProfile(let bundles, let team, isMadeHere: false):
            bundles.count == 1
                ? "create an Ad Hoc profile for it at developer.apple.com with the team's "
                    + "certificate, and add it with `ota teams set \(team) --profile FILE`, or give "
                    + "it with --profile"
                : "create an Ad Hoc profile for each at developer.apple.com with the team's "
                    + "certificate, and add them with `ota teams set \(team) --profile FILE "
                    + "--profile FILE`, or give them with --profile"
        case .profileUnusable(let fault, _, _): fault.fix
        case .originalPruned: "publish a new build"
        case .noRoom:
            "free disk space, with `ota store gc` or `ota releases prune`, or lower --reserve-mb"
        case .otherBuild: "publish that build as a release of its own"
        case .blocked(let report):
            report.findings.first(where: \.blocksEveryDevice)?.fix ?? "see `ota validate`"
        case .noFolder: "run the command on the machine that has the store"
        case .noSigner:
            "give --key-file or OTA_KEY_FILE; for a server, start the server with it"
        }
    }

    package var pageFix: String? {
        switch self {
        case .withdrawn: "restore it first"
        case .noTeam: "choose the app's team in its settings"
        case .noProfile(_, _, isMadeHere: true):
            "this server creates the team's profiles: see on the Jobs page why its job renew-profile is "
                + "waiting, and try again"
        case .noProfile(let bundles, _, isMadeHere: false):
            bundles.count == 1
                ? "create an Ad Hoc profile for it at developer.apple.com with the team's "
                    + "certificate, and add it to the team"
                : "create an Ad Hoc profile for each at developer.apple.com with the team's "
                    + "certificate, and add them to the team"
        default: nil
        }
    }
}
