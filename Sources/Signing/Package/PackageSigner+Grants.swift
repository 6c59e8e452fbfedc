import Bundles
import Bytes
import PropertyLists
import Zip

/// The profile and the entitlements for signing a bundle.
struct BundleGrant: Sendable {
    let profile: SigningProfile
    let entitlements: SignedEntitlements
}

extension PackageSigner {
    /// The profile and entitlements of each bundle that needs a profile, by its path.
    ///
    /// - Throws: ``SigningRefusal`` for the first bundle that cannot be signed; all bundles are checked
    ///   before any is signed.
    func grants(for items: [CodeItem]) throws(SigningRefusal) -> [RelativePath: BundleGrant] {
        let matching = ProfileMatching(
            request.profiles,
            identity: request.identity,
            at: request.date,
        )
        try requireProfiles(for: items, by: matching)
        var grants: [RelativePath: BundleGrant] = [:]
        var first: SigningProfile?
        for item in items where item.kind.hasOwnProfile {
            let grant = try named(item.path) { () throws(BundleFault) in
                let profile = try matching.profile(for: item.identifier, kind: item.kind)
                if let first, first.facts.kind != profile.facts.kind {
                    throw .mixedKinds(
                        profile.facts.name,
                        profile.facts.kind,
                        app: first.facts.name,
                        first.facts.kind,
                    )
                }
                return BundleGrant(
                    profile: profile,
                    entitlements: try EntitlementGranting.entitlements(
                        for: item.identifier,
                        claiming: try claims(of: item),
                        under: profile.facts,
                    ),
                )
            }
            if first == nil { first = grant.profile }
            grants[item.path] = grant
        }
        return grants
    }

    /// Reports all bundles without a profile at once, so that one retry suffices.
    private func requireProfiles(
        for items: [CodeItem],
        by matching: ProfileMatching,
    ) throws(SigningRefusal) {
        var missing: [SigningRefusal.ProfilelessBundle] = []
        var only: SigningRefusal?
        for item in items where item.kind.hasOwnProfile {
            do throws(BundleFault) {
                _ = try matching.profile(for: item.identifier, kind: item.kind)
            } catch {
                guard case .profileMissing = error else { continue }
                missing.append(.init(path: item.path, identifier: item.identifier))
                only = .bundle(error, at: item.path)
            }
        }
        guard let only else { return }
        throw missing.count == 1 ? only : .profilesMissing(missing)
    }

    /// The claims of a bundle: from the request, or else from its signature, or else from Xcode's
    /// `.xcent` file.
    private func claims(of item: CodeItem) throws(BundleFault) -> EntitlementClaims {
        let asked =
            request.nestedEntitlements[item.identifier]
            ?? (item.path == application.path ? request.entitlements : nil)
        if let asked {
            return try Self.claims(asked, in: "the entitlements given for \(item.identifier)")
        }
        if let signed = EntitlementClaims(signed: item.headers) { return signed }
        let embedded = item.path / "archived-expanded-entitlements.xcent"
        if archive[embedded] != nil {
            guard let list = SmallPropertyList.read(embedded, in: archive) else {
                throw .entitlementsMalformed(embedded.name.text, reason: "no property list")
            }
            return try Self.claims(list, in: embedded.name.text)
        }
        if let beside = archived[item.path.name] {
            return try Self.claims(beside, in: "\(item.path.name).xcent")
        }
        return EntitlementClaims([:])
    }

    private static func claims(
        _ list: PropertyList,
        in file: String,
    ) throws(BundleFault) -> EntitlementClaims {
        guard let entries = list.dictionary else {
            throw .entitlementsMalformed(file, reason: "no dictionary")
        }
        return EntitlementClaims(entries)
    }

    private func named<Value>(
        _ path: RelativePath,
        _ body: () throws(BundleFault) -> Value,
    ) throws(SigningRefusal) -> Value {
        do throws(BundleFault) {
            return try body()
        } catch {
            throw .bundle(error, at: path)
        }
    }
}
