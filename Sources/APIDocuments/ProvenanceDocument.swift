import Bundles
package import Cryptography
import Identifiers
package import Provenance
package import Releases

/// The signed statement about the origin of a release, and the data to compare with it.
///
/// It is not verified: readers check the signature with a key that they trust.
package struct ProvenanceDocument: Codable, Sendable {
    package var schema = 1
    package let app, name, release, version, build: String
    /// The digest of the published IPA according to the release's record.
    package let sha256: SHA256Digest
    package let tag, commit, repository: String?
    /// The DSSE envelope.
    package let envelope: SignedEnvelope
    /// The store's own public key in PEM.
    package let publicKey: String
    /// The digest of the IPA as stored now; only if requested.
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

    /// The claims to compare with the statement.
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
