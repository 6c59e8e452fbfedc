package import GitRepositories

extension MirrorContext {
    /// Fetches for a mirror: from an address that was judged, and with the mirror's own credential.
    ///
    /// - Parameters:
    ///   - address: the mirror's, or that of a submodule.
    ///   - repository: what is fetched into.
    ///   - mirror: whose credential and limits count.
    ///   - progress: is given git's own words about how far it is.
    /// - Throws: ``MirrorRefusal``, ``GitFailure``, ``ProcessFailure``, `StoreFailure`.
    package func fetch(
        _ address: MirrorAddress,
        into repository: BareRepository,
        for mirror: Mirror,
        progress: (@Sendable (ArraySlice<UInt8>) -> Void)? = nil,
    ) async throws {
        let route = try await FetchGuard(
            resolver: resolver,
            surroundings: surroundings,
            isPublicOnly: mirror.isPublicOnly == true,
        ).route(to: address)
        let secrets = try store.secrets(of: mirror.name)
        try await secrets.withCredential(in: folders.top, for: mirror.address) { credential in
            let access = FetchAccess(
                credential: credential,
                surroundings: surroundings,
                route: route,
            )
            try await repository.fetch(from: address, with: access, progress: progress)
        }
    }
}
