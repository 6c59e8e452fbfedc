package import Addresses
package import Cryptography
package import Essentials
package import GitRepositories
package import ReleaseSigning
package import Sandboxing
package import Store

/// What all work on mirrors shares: the store, its folders, whom it trusts, and the clock.
package struct MirrorContext: Sendable {
    package private(set) var store: OTAStore
    package let folders: MirrorFolders
    /// Authorities besides Apple's, for the IPAs that builds make.
    package let anchors: TrustAnchors
    /// The environment, from which fetches take proxies and authorities.
    package let surroundings: [String: String]
    package let clock: @Sendable () -> Date
    /// Finds the addresses of the servers that are fetched from.
    package var resolver: NameResolver = NameResolution.system()
    /// Files and folders beside the store that no build may see, such as the server's private key.
    package var hidden: [String] = []

    /// What signs builds that their pipeline left unsigned; nil where nothing on this machine can.
    package var signer: (any BuildSigner)?

    /// Where builds are kept together; nil where the program may make no control groups, and where it
    /// builds nothing.
    package var controlGroups: ControlGroups?

    /// Whether a build whose steps a runner does is left to the next process when this one is stopped, as a
    /// server is; a command's build ends with the command.
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

    /// The place of a store's mirrors, with the authorities that the store remembers.
    ///
    /// - Parameters:
    ///   - store: whose mirrors.
    ///   - surroundings: the variables that name proxies and authorities.
    ///   - clock: gives the time for documents.
    /// - Throws: ``MirrorRefusal/noFolder`` as ``MirrorFolders/init(of:)``, and what reads the store.
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

    /// The same for work that is done under a lease; on one machine nothing can take it from this process.
    package func under(_ lease: any WorkLease) -> MirrorContext {
        guard store.isElsewhere else { return self }
        var context = self
        context.store = store.fenced(by: lease)
        return context
    }

    /// Whole seconds, as documents keep them.
    package var now: Date {
        Date(timeIntervalSince1970: clock().timeIntervalSince1970.rounded(.down))
    }

    package func repository(of mirror: Mirror) -> BareRepository {
        BareRepository(path: folders.repository(mirror.name), limits: mirror.limits.ofRepository)
    }
}
