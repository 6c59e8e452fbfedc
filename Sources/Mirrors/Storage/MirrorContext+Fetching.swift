package import GitRepositories

extension MirrorContext {
    /// Fetches for a mirror, with the mirror's own credential, from an address that has been checked.
    ///
    /// - Parameters:
    ///   - address: the mirror's address, or that of a submodule.
    ///   - repository: the repository to fetch into.
    ///   - mirror: the mirror whose credential and limits apply.
    ///   - progress: receives git's progress output.
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
