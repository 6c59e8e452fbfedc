import Bundles
package import Cryptography
import Identifiers
package import Provenance
package import Releases

/// The signed statement of where a release came from, and what it is compared with.
///
/// It is unverified: readers check the signature with a key that they trust.
package struct ProvenanceDocument: Codable, Sendable {
    package var schema = 1
    package let app, name, release, version, build: String
    /// Of the IPA that was published, as its record has it.
    package let sha256: SHA256Digest
    package let tag, commit, repository: String?
    /// As DSSE has it.
    package let envelope: SignedEnvelope
    /// The store's own key, PEM.
    package let publicKey: String
    /// Of the IPA as it is on disk now; only where it was asked for.
    package let found: SHA256Digest?

    package init(
        _ release: Release,
        envelope: SignedEnvelope,
        key: PublicKey,
        found: SHA256Digest?,
    ) {
        app = release.bundleIdentifier.rawValue
        name = release.name
        self.release = release.identifier.rawValue
        version = release.version
        build = release.build
        sha256 = release.sha256
        tag = release.tag
        commit = release.commit
        repository = release.origin?.repository
        self.envelope = envelope
        publicKey = key.pem
        self.found = found
    }

    /// What the statement is compared with.
    package var claims: ReleaseClaims {
        ReleaseClaims(
            app: app,
            version: version,
            build: build,
            sha256: sha256,
            origin: (tag, commit, repository),
        )
    }
}
