package import Identifiers

extension DeveloperAccount {
    /// Every App ID of the team, patterns among them.
    package func bundleIDs() async throws(AppleFailure) -> [AccountBundleID] {
        try await list(.bundleIDs)
    }

    /// The App ID with exactly this identifier; nil when the team has none.
    package func bundleID(
        _ identifier: BundleIdentifier
    ) async throws(AppleFailure) -> AccountBundleID? {
        let found: [AccountBundleID] = try await list(.bundleIDs(with: identifier))
        // Apple's filter finds identifiers that contain the one asked for, too.
        return found.first { $0.identifier == identifier.rawValue }
    }

    /// Registers an App ID; one that is there already is given back as it is.
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

    /// What an App ID may do.
    package func capabilities(
        of bundleID: ResourceID
    ) async throws(AppleFailure) -> [AccountCapability] {
        try await list(.capabilities(of: bundleID))
    }

    /// Lets an App ID do something more, which makes its profiles invalid.
    ///
    /// - Parameters:
    ///   - capability: Apple's word, such as `PUSH_NOTIFICATIONS`.
    ///   - bundleID: the App ID.
    /// - Returns: the capability, also where the App ID had it already.
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
