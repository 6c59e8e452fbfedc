package import Addresses
package import Cryptography
package import Foundation
package import GitRepositories
package import Store

/// What all work on mirrors shares: the store, its folders, whom it trusts, and the clock.
package struct BuildPlace: Sendable {
    package let store: OTAStore
    package let folders: MirrorFolders
    /// Authorities besides Apple's, for the IPAs that builds make.
    package let anchors: TrustAnchors
    /// What fetches are told of proxies and authorities.
    package let surroundings: [String: String]
    package let clock: @Sendable () -> Date
    /// Finds the addresses of the servers that are fetched from.
    package var resolver: NameResolver = NameResolution.system()
    /// Files and folders beside the store that no build may see, such as the server's private key.
    package var hidden: [String] = []

    package init(
        store: OTAStore,
        folders: MirrorFolders,
        anchors: TrustAnchors,
        surroundings: [String: String],
        clock: @escaping @Sendable () -> Date,
    ) {
        self.store = store
        self.folders = folders
        self.anchors = anchors
        self.surroundings = surroundings
        self.clock = clock
    }

    /// Whole seconds, as documents keep them.
    package var now: Date {
        Date(timeIntervalSince1970: clock().timeIntervalSince1970.rounded(.down))
    }

    package func repository(of mirror: Mirror) -> BareRepository {
        BareRepository(path: folders.repository(mirror.name), limits: mirror.limits.ofRepository)
    }
}
