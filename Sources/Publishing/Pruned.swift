import Bundles
package import Cryptography
import Essentials
import Identifiers
import Problems
package import Releases

/// What pruning removed, or would remove.
package struct Pruned: Sendable, Equatable {
    /// The releases that are gone.
    package let releases: [ReleaseIdentifier]
    /// What the releases that stay no longer keep.
    package let files: [PrunedFile]
}

/// An IPA that a release gave up because a newer signing took its place.
package struct PrunedFile: Sendable, Equatable {
    package let release: ReleaseIdentifier
    package let sha256: SHA256Digest
    /// Bytes.
    package let size: Int
    /// Whether it is the one that was published.
    package let isOriginal: Bool

    func activity(of app: BundleIdentifier, by actor: String, at date: Date) -> Activity {
        Activity(
            date: date,
            actor: actor,
            event: .filePruned,
            app: app.rawValue,
            subject: release.rawValue,
            detail: (isOriginal ? "the published file" : "a superseded signing")
                + " (\(Wording.size(size)), SHA-256 \(sha256))",
        )
    }
}
