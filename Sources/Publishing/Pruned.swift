import Bundles
package import Cryptography
import Essentials
import Identifiers
import Problems
package import Releases

/// What pruning removed, or would remove.
package struct Pruned: Sendable, Equatable {
    /// The releases that were removed.
    package let releases: [ReleaseIdentifier]
    /// The files that kept releases have lost.
    package let files: [PrunedFile]
}

/// An IPA that was removed from a release because a newer signing has replaced it.
package struct PrunedFile: Sendable, Equatable {
    package let release: ReleaseIdentifier
    package let sha256: SHA256Digest
    /// In bytes.
    package let size: Int
    /// Whether it is the IPA that was published.
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
