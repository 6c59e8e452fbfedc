import APIDocuments
import Bytes
package import Identifiers
package import Problems
package import Releases

/// Why an admin's action is refused, if no refusal of the registers below fits.
package enum AdministrationRefusal: ReportableError, Equatable {
    case unknownApp(String, known: [Slug])
    /// An app with this bundle identifier exists, whether it has builds or not.
    case appExists(Slug)
    case unknownRelease(String, of: Slug)
    /// The version has several builds.
    case ambiguousRelease(String, builds: [ReleaseIdentifier])
    case unknownDevice
    case unknownProfile(String)
    case unknownChannel(String, of: Slug)
    case unknownFeedback(Slug)
    /// The app or channel offers no release.
    case nothingOffered(app: String)
    case badScope(String)
    /// A scope names an app that does not exist, such as `publish:browsey`.
    case noAppForScope(String, action: String)
    case badTitle(String)
    case badReason
    /// The number of days before its expiry at which something is renewed is out of range.
    case badRenewalDays(Int)
    /// Numbers in retention rules are out of range.
    case badRules
    /// Access is by passphrase, but there is no passphrase.
    case noPassphrase
    /// A passphrase was given for an app that is not opened with one.
    case needlessPassphrase(AppRecord.Access)
    /// The size and limit are in bytes of UTF-8.
    case notesTooLong(Int, limit: Int)
    case noBaseURL
    /// A provider's client has no secret, and was not declared as a public client.
    case noClientSecret
    /// The resource was changed since the client read it.
    case changedMeanwhile(String)
}

extension AdministrationRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownApp(let name, _): "there is no app \(quoted: name)"
        case .appExists(let app): "the app \(app) already exists"
        case .unknownRelease(let name, let app): "\(app) has no release \(quoted: name)"
        case .ambiguousRelease(let version, let builds):
            "version \(quoted: version) has \(builds.count) builds"
        case .unknownDevice: "no device has this identifier or reference"
        case .unknownProfile(let name): "there is no profile \(quoted: name)"
        case .unknownChannel(let name, let app): "\(app) has no channel \(quoted: name)"
        case .unknownFeedback(let app): "\(app) has no such feedback"
        case .nothingOffered(let app): "no channel of \(app) offers a release"
        case .badScope(let text): "\(quoted: text) is not a token scope"
        case .noAppForScope(let name, _): "there is no app \(quoted: name) in the store"
        case .badTitle(let title):
            "the title \(quoted: title) must be 1 to \(AppChange.titleLimit) printable characters "
                + "without outer spaces"
        case .badReason:
            "the reason must be 1 to \(Administrator.reasonLimit) printable characters"
        case .badRenewalDays(let days):
            "\(days) days is not from \(AppRecord.renewalRange.lowerBound) to "
                + "\(AppRecord.renewalRange.upperBound)"
        case .badRules: "a number in the rules is out of range"
        case .noPassphrase: "no one could open the app: it has no passphrase"
        case .needlessPassphrase(let access):
            "no one would be asked for the passphrase: the app's access is \(access)"
        case .notesTooLong(let count, let limit):
            "the notes are \(count.grouped) bytes long, and the limit is \(limit.grouped)"
        case .noClientSecret: "there is no client secret for this issuer and client"
        case .noBaseURL: "the URL at which testers reach the server is not set"
        case .changedMeanwhile(let what): "\(what) was changed in the meantime"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .unknownApp, .unknownRelease, .unknownDevice, .unknownProfile, .unknownChannel,
            .nothingOffered, .unknownFeedback:
            .notFound
        case .appExists, .ambiguousRelease, .noBaseURL: .conflict
        case .badScope, .noAppForScope, .badTitle, .badReason, .notesTooLong, .noPassphrase,
            .needlessPassphrase, .badRenewalDays, .badRules, .noClientSecret:
            .invalid
        case .changedMeanwhile: .changedMeanwhile
        }
    }

    /// A stable identifier for scripts.
    package var id: String {
        switch self {
        case .unknownApp: "app.unknown"
        case .appExists: "app.exists"
        case .unknownRelease, .nothingOffered: "release.unknown"
        case .ambiguousRelease: "release.ambiguous"
        case .unknownDevice: "device.unknown"
        case .unknownProfile: "profile.unknown"
        case .unknownChannel: "release.unknown-channel"
        case .unknownFeedback: "feedback.unknown"
        case .badScope: "token.bad-scope"
        case .noAppForScope: "token.no-app"
        case .badTitle: "app.bad-title"
        case .badReason: "release.bad-reason"
        case .badRenewalDays: "app.bad-renewal-days"
        case .badRules: "app.bad-rules"
        case .noPassphrase: "app.no-passphrase"
        case .needlessPassphrase: "app.needless-passphrase"
        case .notesTooLong: "publish.notes-too-long"
        case .noBaseURL: "base-url.missing"
        case .noClientSecret: "sign-in.no-secret"
        case .changedMeanwhile: "document.changed"
        }
    }

    /// The fix on a page, which must not name apps that its reader may not see.
    package var pageFix: String? {
        switch self {
        case .unknownApp: ""
        case .noPassphrase: "set a passphrase at the same time"
        case .needlessPassphrase: "leave it out, or choose access by passphrase"
        case .noClientSecret: "type the secret, or check that the client is a public one"
        default: nil
        }
    }

    /// How to fix it.
    package var fix: String {
        switch self {
        case .unknownApp(_, let known):
            known.isEmpty
                ? "publish a build first, or run `ota apps add BUNDLE-ID`"
                : "use one of: " + known.map(\.rawValue).joined(separator: ", ")
        case .appExists(let app): "change it with `ota apps set \(app)`"
        case .unknownRelease(_, let app): "see `ota releases list \(app)`"
        case .ambiguousRelease(_, let builds):
            "use one of: " + builds.map(\.rawValue).joined(separator: ", ")
        case .unknownDevice: "see `ota devices list --all`"
        case .unknownProfile: "see `ota profiles list`"
        case .unknownChannel(_, let app): "see the channels in `ota apps show \(app)`"
        case .unknownFeedback(let app): "see `ota feedback list \(app)`"
        case .nothingOffered(let app): "name a release, such as one of `ota releases list \(app)`"
        case .badScope:
            "give read, publish or admin; the first two also as publish:APP with a bundle "
                + "identifier or the slug of an app in the store"
        case .noAppForScope(_, let action):
            "before its first build, name an app by its bundle identifier: "
                + "\(action):com.example.app; see `ota apps list` for existing apps"
        case .badTitle: "choose another title, such as Browsey"
        case .badReason: "give the reason in one sentence"
        case .badRenewalDays:
            "choose how many days before their end profiles are renewed, such as 30"
        case .badRules: "keep from 0 to 1000 releases of each channel, and from 1 to 3650 days"
        case .noPassphrase: "set a passphrase at the same time, with --passphrase-file"
        case .needlessPassphrase: "leave it out, or give --access passphrase at the same time"
        case .notesTooLong: "shorten the notes"
        case .noClientSecret:
            "give it with --client-secret-file, or --public-client for a client without one"
        case .noBaseURL:
            "give --base-url https://…, or start `ota serve --base-url https://…` once"
        case .changedMeanwhile: "load it again and repeat your change"
        }
    }
}
