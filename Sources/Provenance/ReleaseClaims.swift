import Bundles
package import Cryptography
import Identifiers
package import Releases

/// The facts about a release in a store or on a server, which a statement can prove.
package struct ReleaseClaims: Sendable, Equatable {
    package let app, version, build: String
    package let sha256: SHA256Digest
    package let tag, commit, repository: String?

    package init(
        app: String,
        version: String,
        build: String,
        sha256: SHA256Digest,
        origin: (tag: String?, commit: String?, repository: String?),
    ) {
        self.app = app
        self.version = version
        self.build = build
        self.sha256 = sha256
        (tag, commit, repository) = origin
    }

    package init(_ release: Release) {
        self.init(
            app: release.bundleIdentifier.rawValue,
            version: release.version,
            build: release.build,
            sha256: release.sha256,
            origin: (release.tag, release.commit, release.origin?.repository),
        )
    }
}
