import AppleDeveloper
import Bundles
import Cryptography
import Essentials
import Identifiers
import Jobs
import Releases
import Sandboxing
import Store

/// Has Apple create profiles from drafts, and verifies each of them.
struct ProfileMaker: Sendable {
    let work: AccountWork
    let account: DeveloperAccount
    let team: Team
    /// The digest of the certificate that the profiles list.
    let certificate: SHA256Digest

    /// The result for a draft.
    enum Outcome: Sendable {
        /// The profile is in the store; with the names of devices that Apple omitted.
        case made(RenewalTask.Draft, omitted: [String])
        /// The profile would exclude devices that can install the build now; with their names.
        case loses([String])
        /// The profile lists devices that were not requested; with the names of those that the account has.
        case exceeds([String], count: Int)
        /// Something that the draft names is no longer in the account.
        case outdated
    }

    /// Returns a draft with a unique name.
    func draft(
        _ bundle: BundleIdentifier,
        _ appID: ResourceID,
        _ certificate: ResourceID,
        _ devices: [AccountDevice],
    ) throws -> RenewalTask.Draft {
        let number = work.random(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let name = ProfileName(
            for: bundle,
            by: try work.accounts.mark(),
            at: work.clock(),
            number: number,
        )
        return RenewalTask.Draft(
            bundle: bundle.rawValue,
            name: name.text,
            appID: appID.rawValue,
            certificate: certificate.rawValue,
            devices: devices.map(\.id.rawValue).sorted(),
        )
    }

    /// Creates the profile of a draft, or finds the existing one, and stores its bytes.
    ///
    /// - Parameters:
    ///   - draft: the draft as recorded in the job.
    ///   - devices: every device of the account.
    /// - Returns: the result.
    /// - Throws: ``AppleFailure``, `ProfileRefusal`, `TeamRefusal`, ``StoreFailure``.
    func make(
        _ draft: RenewalTask.Draft,
        among devices: [AccountDevice],
    ) async throws -> Outcome {
        let asked = Set(draft.devices)
        let found = devices.filter { asked.contains($0.id.rawValue) }
        guard found.count == asked.count,
            let name = ProfileName(draft.name, by: try work.accounts.mark()),
            let appID = ResourceID(draft.appID), let signer = ResourceID(draft.certificate)
        else { return .outdated }
        let issued = try await account.issue(
            ProfileDraft(name: name, bundleID: appID, certificate: signer, devices: found)
        )
        let (store, anchors, now) = (work.store, work.anchors, work.clock())
        let (team, certificate, omitted) = (team, certificate, issued.omitted)
        return try await blocking {
            let profile = try Self.proven(issued.content, draft, team, certificate, anchors(), now)
            let wanted = Set(found.compactMap(\.udid))
            let surplus = Set(profile.devices ?? []).subtracting(wanted)
            guard surplus.isEmpty else {
                let names = devices.filter { $0.udid.map(surplus.contains) ?? false }.map(\.name)
                return .exceeds(names.sorted(), count: surplus.count)
            }
            let former = try Self.devices(for: profile, of: team, in: store)
            let lost = omitted.filter { device in device.udid.map(former.contains) ?? false }
            guard lost.isEmpty else { return .loses(lost.map(\.shownName)) }
            var draft = draft
            draft.accountID = issued.profile.id.rawValue
            draft.digest = try store.put(issued.content)
            return .made(draft, omitted: omitted.map(\.shownName))
        }
    }

    /// The created profiles of drafts, in the form that the team keeps.
    ///
    /// - Throws: ``StoreFailure/missingBlob(_:)`` if one was garbage-collected, and what ``make(_:among:)``
    ///   throws.
    func profiles(of drafts: [RenewalTask.Draft]) async throws -> [TeamProfile] {
        let (store, anchors, now) = (work.store, work.anchors, work.clock())
        let (team, certificate) = (team, certificate)
        return try await blocking {
            let trusted = try anchors()
            return try drafts.compactMap { draft in
                guard let digest = draft.digest else { return nil }
                let bytes = try store.bytes(of: digest, atMost: SigningTask.profileLimit)
                let profile = try Self.proven(bytes, draft, team, certificate, trusted, now)
                guard var kept = TeamProfile(profile, digest: digest) else {
                    throw TeamRefusal.noApplicationIdentifier(profile: draft.name)
                }
                kept.accountID = draft.accountID
                return kept
            }
        }
    }

    /// Verifies that Apple signed the profile for this team, this bundle and this certificate.
    private static func proven(
        _ content: [UInt8],
        _ draft: RenewalTask.Draft,
        _ team: Team,
        _ certificate: SHA256Digest,
        _ anchors: TrustAnchors,
        _ date: Date,
    ) throws -> ProvisioningProfile {
        let profile = try ProfileEnvelope(bytes: content, place: draft.name)
            .verified(against: anchors, at: date)
        guard profile.team == team.identifier.rawValue else {
            throw TeamRefusal.otherProfile(
                profile.name,
                of: profile.team,
                expected: team.identifier,
            )
        }
        guard profile.certificates.contains(where: { $0.sha256 == certificate }) else {
            throw TeamRefusal.certificateMissing("of the team", profile: profile.name)
        }
        guard profile.kind == .adHoc, let grant = profile.applicationIdentifier,
            grant.grants(draft.bundle)
        else { throw TeamRefusal.noApplicationIdentifier(profile: profile.name) }
        return profile
    }

    /// The devices of the profile that this one replaces.
    private static func devices(
        for profile: ProvisioningProfile,
        of team: Team,
        in store: OTAStore,
    ) throws -> Set<DeviceUDID> {
        let pattern = profile.applicationIdentifier.map { String($0.pattern) }
        let former = team.profiles.first {
            $0.kind == profile.kind && $0.bundleIdentifier == pattern
        }
        guard let former,
            let bytes = try store.unlessDamaged({ try store.bytes(of: former) })
        else { return [] }
        let claims = try? ProfileEnvelope(bytes: bytes, place: former.name).claims()
        return Set(claims?.devices ?? [])
    }
}
