import Bytes
package import Identifiers
package import Problems
import Releases
package import Versions

/// Why a request about a mirror is refused.
package enum MirrorRefusal: ReportableError, Hashable, Sendable {
    case unknown(String)
    case nameTaken(Slug)
    case badName(String)
    case tooMany(Int)
    case noRun(Int)
    case runIsOver(Int)
    /// The build's artifacts are being published already.
    case runIsDelivering(Int)
    case queueFull(Int)
    /// The tag was on another commit when it was first seen.
    case movedTag(String, from: String, to: String)
    /// The build of one commit was to be named after a tag that is on another commit.
    case tagElsewhere(String, on: String, String)
    /// The tag names no version.
    case noVersion(String, VersionFlaw)
    /// The reference, by its full name, has moved since the user asked to build it.
    case movedAgain(String, to: String)
    case nothingToBuild
    case noUser(String)
    case needsRoot(String)
    case noSandbox
    case busy(Slug)
    /// The setting, and what it must be.
    case badSetting(String, String)
    /// The reason; never contains the secret.
    case badSecrets(String)
    /// What is wrong with the repository's credential, and how to fix it.
    case badCredential(String, String)
    /// A variable whose value is too short to be masked.
    case shortSecret(String)
    case weakHookSecret
    /// The mirror is neither synced nor built, and accepts no pushes.
    case paused(Slug)
    /// The repository did not answer within the time for which a browser waits.
    case syncTakesLong(Slug, seconds: Int)
    case noArtifact(String, build: Int)
    /// The app is not one that the mirror may publish.
    case foreignApp(String, Slug, only: String)
    /// Nothing has been fetched yet.
    case notSynced(Slug)
    /// The store has no folder on this machine, and git needs one. Stores in folders and in buckets have
    /// one.
    case noFolder
}

extension MirrorRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknown(let name): "there is no mirror \(quoted: name)"
        case .nameTaken(let name): "there is already a mirror \(name)"
        case .badName(let name):
            "\(quoted: name) is not a valid mirror name: use lower-case letters, digits and "
                + "single hyphens"
        case .tooMany(let limit): "there are already \(limit) mirrors"
        case .noRun(let number): "there is no build \(number)"
        case .runIsOver(let number): "build \(number) has already ended"
        case .runIsDelivering(let number):
            "build \(number) is already publishing, so it cannot be cancelled"
        case .queueFull(let limit): "\(limit) builds are already queued"
        case .movedTag(let tag, let from, let to):
            "the tag \(tag) was moved from commit \(from.shortCommit) to \(to.shortCommit); a "
                + "published version must not change"
        case .tagElsewhere(let tag, let there, let commit):
            "the tag \(tag) is on commit \(there.shortCommit), not on \(commit.shortCommit); a "
                + "published version must not change"
        case .noVersion(let tag, let flaw): "the tag \(quoted: tag) names no version: \(flaw)"
        case .movedAgain(let reference, let to):
            "\(quoted: reference) has moved to \(to.shortCommit) in the meantime"
        case .nothingToBuild:
            "no tag, branch or commit was given, and the repository has no branch main"
        case .noUser(let name): "this system has no user \(quoted: name)"
        case .needsRoot(let name): "only root can run builds as \(quoted: name)"
        case .noSandbox: "bwrap is not installed, so builds cannot be isolated"
        case .busy(let name): "a build or another process is using the mirror \(name)"
        case .badSetting(let name, let words): "\(name) must be \(words)"
        case .badSecrets(let words), .badCredential(let words, _): words
        case .shortSecret(let name):
            "the value of \(name) has fewer than \(MirrorSecrets.leastCharacters) characters, so "
                + "it could not be masked in logs"
        case .weakHookSecret: "the webhook secret must have 16 to 4096 characters"
        case .paused(let name):
            "the mirror \(name) is paused: it does not sync or build, and ignores pushes"
        case .syncTakesLong(let name, let seconds):
            "the repository of \(name) did not answer within \(seconds) seconds, so nothing was "
                + "queued"
        case .noArtifact(let path, let build): "build \(build) has no artifact \(quoted: path)"
        case .foreignApp(let app, let name, let only):
            "the mirror \(name) may publish only \(only), not the app \(app)"
        case .notSynced(let name): "the mirror \(name) has not been synced yet"
        case .noFolder: "the store has no folder for repositories on this machine"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .unknown, .noRun, .noArtifact: .notFound
        case .badName, .noUser, .needsRoot, .badSetting, .badSecrets, .badCredential, .shortSecret,
            .weakHookSecret, .noVersion, .foreignApp:
            .invalid
        case .nameTaken, .tooMany, .runIsOver, .runIsDelivering, .queueFull, .movedTag,
            .tagElsewhere, .movedAgain,
            .nothingToBuild, .noSandbox, .busy, .paused, .syncTakesLong, .notSynced, .noFolder:
            .conflict
        }
    }

    /// A stable identifier for scripts.
    package var id: String {
        switch self {
        case .unknown: "mirror.unknown"
        case .nameTaken: "mirror.name-taken"
        case .badName: "mirror.bad-name"
        case .tooMany: "mirror.too-many"
        case .noRun: "mirror.no-build"
        case .runIsOver: "mirror.build-is-over"
        case .runIsDelivering: "mirror.build-is-publishing"
        case .queueFull: "mirror.queue-full"
        case .movedTag: "mirror.moved-tag"
        case .tagElsewhere: "mirror.tag-elsewhere"
        case .noVersion: "mirror.no-version"
        case .movedAgain: "mirror.moved-again"
        case .nothingToBuild: "mirror.nothing-to-build"
        case .noUser: "mirror.no-user"
        case .needsRoot: "mirror.needs-root"
        case .noSandbox: "mirror.no-sandbox"
        case .busy: "mirror.busy"
        case .badSetting: "mirror.bad-setting"
        case .badSecrets, .badCredential, .shortSecret: "mirror.bad-secrets"
        case .weakHookSecret: "mirror.weak-hook-secret"
        case .paused: "mirror.paused"
        case .syncTakesLong: "mirror.sync-takes-long"
        case .noArtifact: "mirror.no-artifact"
        case .foreignApp: "mirror.foreign-app"
        case .notSynced: "mirror.not-synced"
        case .noFolder: "mirror.no-folder"
        }
    }

    /// How to fix it.
    package var fix: String {
        switch self {
        case .unknown: "see `ota mirror list`, or add it with `ota mirror add`"
        case .nameTaken, .badName: "choose another name"
        case .tooMany: "remove one that you do not need: `ota mirror remove`"
        case .runIsDelivering: "withdraw its release afterwards: `ota releases withdraw`"
        case .noRun, .runIsOver: "see `ota mirror show`"
        case .queueFull: "wait, or cancel some with `ota mirror cancel`"
        case .movedTag:
            "tag the commit with a new version, or build it anyway with --rebuild"
        case .tagElsewhere:
            "give a tag that does not exist yet, or build it anyway with --rebuild"
        case .noVersion: "give a tag such as v1.2.3; without one the version is dev"
        case .movedAgain: "check the new commit, and request the build again"
        case .nothingToBuild: "give one: --tag v1.2.3, --branch main or --commit SHA"
        case .noUser, .needsRoot:
            "leave out --user, or create the user and start the server as root"
        case .noSandbox: "install bubblewrap, or leave out --isolation bwrap"
        case .busy: "try again once it is done"
        case .badSetting: "give an allowed value"
        case .badSecrets:
            "write one NAME=value per line; use JSON for values of several lines"
        case .badCredential(_, let fix): fix
        case .shortSecret:
            "use a longer value; put values that are not secret under env: in the pipeline"
        case .weakHookSecret: "create one with `openssl rand -hex 32`"
        case .paused(let name): "resume it first: `ota mirror set \(name) --no-paused`"
        case .syncTakesLong: "sync the mirror, and build once that has succeeded"
        case .noArtifact:
            "see the artifacts in `ota mirror show` with the build's number; an IPA becomes a "
                + "release"
        case .foreignApp(let app, let name, _):
            "allow it: `ota mirror set \(name) --app \(app)`, with every other app that it may "
                + "publish"
        case .notSynced: "sync it first: `ota mirror sync`"
        case .noFolder: "use a store in a folder or in a bucket"
        }
    }
}
