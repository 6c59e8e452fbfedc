package import Identifiers

extension DeveloperAccount {
    /// All App IDs of the team, including wildcards.
    package func bundleIDs() async throws(AppleFailure) -> [AccountBundleID] {
        try await list(.bundleIDs)
    }

    /// The App ID with exactly this identifier; nil when the team has none.
    package func bundleID(
        _ identifier: BundleIdentifier
    ) async throws(AppleFailure) -> AccountBundleID? {
        let found: [AccountBundleID] = try await list(.bundleIDs(with: identifier))
        // Apple's filter also returns identifiers that contain the requested one.
        return found.first { $0.identifier == identifier.rawValue }
    }

    /// Registers an App ID; an existing one is returned unchanged.
    package func register(
        _ identifier: BundleIdentifier,
        name: String,
    ) async throws(AppleFailure) -> AccountBundleID {
        if let known = try await bundleID(identifier) { return known }
        return try await create(
            .register(identifier, name: name),
            naming: identifier.rawValue,
        ) { () async throws(AppleFailure) in
            try await bundleID(identifier)
        }
    }

    /// The capabilities of an App ID.
    package func capabilities(
        of bundleID: ResourceID
    ) async throws(AppleFailure) -> [AccountCapability] {
        try await list(.capabilities(of: bundleID))
    }

    /// Enables a capability for an App ID, which invalidates its profiles.
    ///
    /// - Parameters:
    ///   - capability: Apple's name, such as `PUSH_NOTIFICATIONS`.
    ///   - bundleID: the App ID.
    /// - Returns: the capability, even if it was already enabled.
    /// - Throws: ``AppleFailure``.
    package func enable(
        _ capability: String,
        for bundleID: ResourceID,
    ) async throws(AppleFailure) -> AccountCapability {
        let known = try await capabilities(of: bundleID)
        if let there = known.first(where: { $0.type == capability }) { return there }
        return try await create(.enable(capability, for: bundleID), naming: capability) {
            () async throws(AppleFailure) in
            try await capabilities(of: bundleID).first { $0.type == capability }
        }
    }
}
