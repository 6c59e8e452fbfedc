package import Addresses
package import Cryptography
package import Essentials
package import GitRepositories
package import ReleaseSigning
package import Sandboxing
package import Store

/// What all work on mirrors shares: the store, its folders, trust anchors, and the clock.
package struct MirrorContext: Sendable {
    package private(set) var store: OTAStore
    package let folders: MirrorFolders
    /// Trust anchors in addition to Apple's, for the IPAs that builds make.
    package let anchors: TrustAnchors
    /// The environment variables that name proxies and certificate authorities for fetches.
    package let surroundings: [String: String]
    package let clock: @Sendable () -> Date
    /// Resolves the names of the servers that are fetched from.
    package var resolver: NameResolver = NameResolution.system()
    /// Files and folders outside the store that no build may see, such as the server's private key.
    package var hidden: [String] = []

    /// Signs builds that their pipeline left unsigned; nil if nothing on this machine can.
    package var signer: (any BuildSigner)?

    /// The control groups of builds; nil if the process may not create any, or runs no builds.
    package var controlGroups: ControlGroups?

    /// Whether a build whose steps run on a runner is left to the next process when this one is stopped.
    ///
    /// A server leaves it; a command's build ends with the command.
    package var leavesStages = false

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

    /// The context of a store's mirrors, with the trust anchors that the store keeps.
    ///
    /// - Parameters:
    ///   - store: the store of the mirrors.
    ///   - surroundings: the variables that name proxies and certificate authorities.
    ///   - clock: returns the time for documents.
    /// - Throws: ``MirrorRefusal/noFolder`` as ``MirrorFolders/init(of:)`` does, and errors of reading the
    ///   store.
    package init(
        of store: OTAStore,
        surroundings: [String: String],
        clock: @escaping @Sendable () -> Date,
    ) throws {
        self.init(
            store: store,
            folders: try MirrorFolders(of: store),
            anchors: TrustAnchors.apple.adding(try store.anchors()),
            surroundings: surroundings,
            clock: clock,
        )
    }

    /// The context for work under a lease; on one machine nothing can take the work from this process.
    package func under(_ lease: any WorkLease) -> MirrorContext {
        guard store.isElsewhere else { return self }
        var context = self
        context.store = store.fenced(by: lease)
        return context
    }

    /// The current time in whole seconds, as in documents.
    package var now: Date {
        Date(timeIntervalSince1970: clock().timeIntervalSince1970.rounded(.down))
    }

    package func repository(of mirror: Mirror) -> BareRepository {
        BareRepository(path: folders.repository(mirror.name), limits: mirror.limits.ofRepository)
    }
}
