import Cryptography
import Mirrors
import Releases
import Store
import Versions

/// The existing release of the same commit, whose version and build number another build of that commit
/// would have too.
struct SiblingRelease: Sendable {
    private let identifier: ReleaseIdentifier
    private let digest: SHA256Digest
    private let mirror: Mirror
    private let commit: CommitIdentifier
    private let store: OTAStore

    init(
        _ identifier: ReleaseIdentifier,
        with digest: SHA256Digest,
        for mirror: Mirror,
        commit: CommitIdentifier,
        in store: OTAStore,
    ) {
        self.identifier = identifier
        self.digest = digest
        self.mirror = mirror
        self.commit = commit
        self.store = store
    }

    /// Returns the release; nil if it was built from another commit or elsewhere, was withdrawn, or has
    /// another publisher: another mirror may follow a fork, whose owner must not decide anything here.
    func found() throws -> Release? {
        guard let release = try owner() else { return nil }
        let isSibling =
            release.commit == commit.description && release.isBuiltHere == true
            && release.publisher == mirror.publisher
        return isSibling && release.withdrawal == nil ? release : nil
    }

    /// The release that has this version and build number.
    func owner() throws -> Release? {
        for app in try store.apps() {
            let release = try store.release(identifier, of: app.bundleIdentifier)
            if let release, release.original.sha256 == digest { return release }
        }
        return nil
    }

    /// Whether a release is replaced by another build of its commit.
    ///
    /// The build of a tag replaces one without a tag, and the build of a final version replaces that of a
    /// prerelease. A build of the same tag never replaces the tag's release.
    func givesWay(_ release: Release, to facts: VersionFacts) -> Bool {
        guard !facts.isDevelopment, release.tag != facts.tag else { return false }
        let isFinal = (try? Version(facts.version))?.isPrerelease == false
        guard let tag = release.tag else { return true }
        return isFinal && version(of: tag)?.isPrerelease == true
    }

    private func version(of tag: String) -> Version? {
        guard let name = try? TagName(tag) else { return nil }
        return (try? VersionTag(name, prefix: mirror.prefix))?.version
    }
}
