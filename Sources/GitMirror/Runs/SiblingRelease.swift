import Releases
import Store
import Versions

/// The release that keeps another build of the same commit from being one: both have the version and the
/// number that the commit gives them.
struct SiblingRelease {
    private let refusal: ReleaseRefusal
    private let commit: CommitIdentifier
    private let store: OTAStore

    init(of refusal: ReleaseRefusal, commit: CommitIdentifier, in store: OTAStore) {
        self.refusal = refusal
        self.commit = commit
        self.store = store
    }

    /// Nil when it is of another commit, or somebody else published it.
    func found() throws -> Release? {
        guard case .otherBytes(let identifier, let digest) = refusal else { return nil }
        for app in try store.apps() {
            let release = try store.release(identifier, of: app.bundleIdentifier)
            guard let release, release.sha256 == digest else { continue }
            let isSibling = release.commit == commit.description && release.isBuiltHere == true
            return isSibling && release.withdrawal == nil ? release : nil
        }
        return nil
    }

    /// Whether a release gives way to another build of its commit.
    ///
    /// The build of a tag takes the place of what had none, and that of a final version the place of what
    /// came before it. A tag's release is never replaced by itself.
    func givesWay(_ release: Release, to facts: VersionFacts) -> Bool {
        guard !facts.isDevelopment, release.tag != facts.tag else { return false }
        let isFinal = (try? Version(facts.version))?.isPrerelease == false
        guard let tag = release.tag else { return true }
        return isFinal && Self.isPrerelease(tag, facts)
    }

    /// Of a tag that may have the same prefix.
    private static func isPrerelease(_ tag: String, _ facts: VersionFacts) -> Bool {
        let prefix = facts.tag.prefix { !$0.isNumber }
        let version = tag.hasPrefix(prefix) ? String(tag.dropFirst(prefix.count)) : tag
        return (try? Version(version))?.isPrerelease == true
    }
}
