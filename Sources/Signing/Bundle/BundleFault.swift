package import Bundles
import Bytes
package import Essentials
package import Problems

/// Why a bundle cannot be signed with the given profiles and entitlements.
package enum BundleFault: ReportableError, Equatable {
    /// A claim that a profile does not grant.
    package struct Claim: Equatable, Sendable {
        package let key: String
        /// The part that is not granted, in words.
        package let excess: String
        /// What the profile grants for the key, in words; nil when it lacks the key.
        package let granted: String?

        package init(key: String, excess: String, granted: String?) {
            self.key = key
            self.excess = excess
            self.granted = granted
        }
    }

    /// The bundle has no bundle identifier, so no profile can be found for it.
    case identifierMissing
    /// The executable named in Info.plist is missing, or Info.plist names none.
    case executableMissing(name: String?)
    /// The executable named in Info.plist is not a Mach-O file.
    case executableNotCode(name: String)
    /// A folder or symbolic link is where signing writes a file, or a link where it creates a folder.
    case placeTaken(name: String)
    /// An entry of the archive is a device or a pipe, or has set-user-ID or set-group-ID permission.
    case specialFile(name: String)
    /// No profile covers the bundle identifier.
    case profileMissing(identifier: String, kind: BundleKind, offered: [String])
    case profileUnproven(String, reason: String)
    case profileExpired(String, on: Date)
    case profileOfOtherTeam(String, team: String, signer: String)
    case profileForStore(String)
    case profileForOtherPlatform(String, [String])
    case certificateNotInProfile(String, certificate: String)
    /// Two bundles of an app have profiles of different kinds.
    case mixedKinds(String, ProfileKind, app: String, ProfileKind)
    case notGranted(profile: String, [Claim])
    /// An entitlement claims more values than any app has.
    case tooManyClaims(key: String, limit: Int)
    /// The entitlements in a file or an old signature are not a dictionary.
    case entitlementsMalformed(String, reason: String)

    package var description: String {
        switch self {
        case .identifierMissing: "has no CFBundleIdentifier, which a profile must grant"
        case .executableMissing(let name?):
            "does not have the program \(quoted: name) that its Info.plist names"
        case .executableMissing(nil): "has an Info.plist that names no program"
        case .executableNotCode(let name):
            "has a program \(quoted: name) that is not a Mach-O file"
        case .placeTaken(let name):
            "has something other than a file at \(quoted: name), where signing writes one"
        case .specialFile(let name):
            "has a file \(quoted: name) that is a pipe or a device, or runs as its owner (setuid)"
        case .profileMissing(let identifier, let kind, let offered):
            "is \(kind.title) and needs a profile for \(PrintableText(escaping: identifier)), "
                + (offered.isEmpty
                    ? "but none was given" : "but none of these grants it: \(quoted: offered)")
        case .profileUnproven(let name, let reason):
            "cannot be signed with the profile \(quoted: name): "
                + "\(PrintableText(escaping: reason, limit: 300))"
        case .profileExpired(let name, let date):
            "cannot be signed with the profile \(quoted: name), which expired on \(date.day)"
        case .profileOfOtherTeam(let name, let team, let signer):
            "cannot be signed with the profile \(quoted: name) of team \(quoted: team): the "
                + "certificate is of team \(quoted: signer)"
        case .profileForStore(let name):
            "cannot be signed with the profile \(quoted: name), which is for the App Store: no "
                + "device installs such a build over the air"
        case .profileForOtherPlatform(let name, let platforms):
            "cannot be signed with the profile \(quoted: name), which is for \(quoted: platforms)"
        case .certificateNotInProfile(let name, let certificate):
            "cannot be signed with the profile \(quoted: name), which does not allow the "
                + "certificate \(quoted: certificate)"
        case .mixedKinds(let name, let kind, let app, let appKind):
            "would get the \(kind.title) profile \(quoted: name), but the app the "
                + "\(appKind.title) profile \(quoted: app)"
        case .notGranted(let profile, let claims):
            "claims entitlements that the profile \(quoted: profile) does not grant: "
                + claims.prefix(Self.listed).map(\.sentence).joined(separator: "; ")
                + (claims.count > Self.listed ? "; and \(claims.count - Self.listed) more" : "")
        case .tooManyClaims(let key, let limit):
            "claims more than \(limit.grouped) values of the entitlement \(quoted: key)"
        case .entitlementsMalformed(let file, let reason):
            "has entitlements in \(PrintableText(escaping: file)) that cannot be read: "
                + "\(PrintableText(escaping: reason, limit: 300))"
        }
    }

    private static let listed = 5
}

extension BundleFault.Claim {
    fileprivate var sentence: String {
        let claim = "\(PrintableText(escaping: key)) “\(excess)”"
        return granted.map { "\(claim), granted is “\($0)”" } ?? claim
    }
}

extension BundleFault {
    package var id: String {
        switch self {
        case .identifierMissing: "signing.identifier-missing"
        case .executableMissing: "signing.executable-missing"
        case .executableNotCode: "signing.executable-not-code"
        case .placeTaken: "signing.place-taken"
        case .specialFile: "signing.special-file"
        case .profileMissing: "signing.profile-missing"
        case .profileUnproven: "signing.profile-unproven"
        case .profileExpired: "signing.profile-expired"
        case .profileOfOtherTeam: "signing.profile-of-other-team"
        case .profileForStore: "signing.profile-for-store"
        case .profileForOtherPlatform: "signing.profile-for-other-platform"
        case .certificateNotInProfile: "signing.certificate-not-in-profile"
        case .mixedKinds: "signing.mixed-kinds"
        case .notGranted: "signing.entitlement-not-granted"
        case .tooManyClaims: "signing.too-many-claims"
        case .entitlementsMalformed: "signing.entitlements-malformed"
        }
    }

    package var kind: Problem.Kind { .invalid }

    package var fix: String {
        switch self {
        case .identifierMissing: "set PRODUCT_BUNDLE_IDENTIFIER for the target and build again"
        case .placeTaken:
            "remove it from the app, and build again: Xcode puts neither links nor folders there"
        case .specialFile: "remove it from the app, or its mode (chmod), and build again"
        case .executableMissing, .executableNotCode:
            "build the app again: the target's product is not where Xcode puts it"
        case .profileMissing(let identifier, _, _):
            "create a profile for \(PrintableText(escaping: identifier)) on Apple's developer "
                + "site and give it with --profile, in addition to the others"
        case .profileUnproven:
            "download the profile from Apple's developer site again; for a private authority, "
                + "give its certificate with --trusted-ca"
        case .profileExpired:
            "renew the profile on Apple's developer site (Edit, then Save), download it and give "
                + "the new file"
        case .profileOfOtherTeam:
            "give an identity and profiles of one team"
        case .profileForStore:
            "create an Ad Hoc or development profile with the testers' devices and give it"
        case .profileForOtherPlatform: "create the profile for iOS, and give that one"
        case .certificateNotInProfile:
            "select the certificate in the profile on Apple's developer site, download it again, "
                + "or sign with an identity that the profile allows"
        case .mixedKinds: "give profiles of one kind for the app and everything in it"
        case .notGranted(_, let claims): Self.fix(for: claims)
        case .tooManyClaims: "remove values that the app does not use, and build again"
        case .entitlementsMalformed: "correct the file (plutil -lint) and sign again"
        }
    }
}

extension Date {
    /// `2027-02-16`, in UTC.
    fileprivate var day: String { formatted(.iso8601.year().month().day()) }
}
