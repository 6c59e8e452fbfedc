import APIDocuments
import AppleDeveloper
import Bundles
import Cryptography
import Foundation
import Identifiers
import Problems
import Releases
import Store
import TeamUpkeep

/// What an admin gives a team for signing, read and checked before the team is changed.
struct TeamMaterial {
    private let administration: LocalAdministration
    private let date: Date
    private var profiles: [TeamProfile] = []
    /// The names of the profiles in errors, by UUID.
    private var places: [String: String] = [:]
    private var removed: [String] = []
    private var identity: TeamIdentity?
    private var account: TeamAccount?
    private var removesAccount = false
    /// Secrets of the team that stay unchanged: the name of each, and the identifier of its sealing key.
    private var kept: [(name: String, key: String)] = []
    /// The organization in the certificate.
    private(set) var organization: String?
    /// The path of the key file, if one was created.
    private(set) var createdKeyFile: String?

    init(_ administration: LocalAdministration, at date: Date) {
        self.administration = administration
        self.date = date
    }

    private var store: OTAStore { administration.admin.store }

    /// Notes the secrets that a team keeps; new ones must be sealed with the same key.
    mutating func keepSecrets(of team: Team, unless change: TeamChange) {
        if change.identity == nil, let sealed = team.identity?.sealed {
            kept.append(("identity", sealed.key))
        }
        if change.apiKey == nil, change.removeAPIKey != true, let sealed = team.account?.sealed {
            kept.append(("API key", sealed.key))
        }
    }

    /// Verifies profiles and keeps their bytes; errors name the first one `profile 1`.
    ///
    /// - Throws: ``TeamRefusal``, `ProfileRefusal`, ``StoreFailure``.
    mutating func read(_ files: [Data], of team: TeamIdentifier) throws {
        guard files.count <= Team.profileLimit else {
            throw TeamRefusal.tooManyProfiles(limit: Team.profileLimit)
        }
        let proven = try files.enumerated().map { index, file in
            let place = "profile \(index + 1)"
            let envelope = ProfileEnvelope(bytes: Array(file), place: place)
            let profile = try envelope.verified(against: administration.anchors, at: date)
            do throws(TeamRefusal) {
                try check(profile, of: team)
            } catch {
                throw error.problem(at: place)
            }
            return (envelope, profile)
        }
        for (envelope, profile) in proven {
            guard let read = TeamProfile(profile, digest: try store.put(envelope.bytes)) else {
                throw TeamRefusal.noApplicationIdentifier(profile: profile.name)
                    .problem(at: envelope.place)
            }
            places[read.uuid] = envelope.place
            profiles.append(read)
        }
    }

    private func check(
        _ profile: ProvisioningProfile,
        of team: TeamIdentifier,
    ) throws(TeamRefusal) {
        guard profile.team == team.rawValue else {
            throw .otherProfile(profile.name, of: profile.team, expected: team)
        }
        guard profile.expires > date else {
            throw .expiredProfile(profile.name, on: profile.expires)
        }
        guard profile.kind != .appStore else { throw .appStoreProfile(profile.name) }
    }

    /// Notes profiles to remove from the team, by UUID.
    mutating func remove(_ uuids: [String]) {
        removed += uuids
    }

    /// Reads an identity, checks that devices accept its signatures, and seals it.
    ///
    /// Of several identities in a file, the one that matches the team's profiles is chosen.
    ///
    /// - Throws: ``TeamRefusal``, `MalformedIdentity`, `IdentityChoiceRefusal`, `IdentityRefusal`,
    ///   `KeyFileRefusal`.
    mutating func read(_ upload: IdentityUpload?, of team: Team) throws {
        guard let upload else { return }
        let file = try IdentityFile(
            reading: Array(upload.file),
            passphrase: upload.passphrase,
        )
        var future = team
        try change(profilesOf: &future)
        let chosen = try file.identity(for: future.profiles.map(\.signers))
            .checkedForApps(at: date, anchors: administration.anchors)
        let certificate = chosen.certificate
        guard certificate.signingTeam == team.identifier.rawValue else {
            throw TeamRefusal.otherIdentity(
                certificate.description,
                of: certificate.signingTeam,
                expected: team.identifier,
            )
        }
        identity = TeamIdentity(chosen, of: team.identifier, sealedWith: try sealingKey())
        organization = certificate.subject.organization
    }

    /// Reads a key for the App Store Connect API, and seals it.
    ///
    /// - Throws: `APIKeyRefusal`, ``TeamRefusal/noKeyFile``, `KeyFileRefusal`.
    mutating func read(_ upload: APIKeyUpload?, of team: TeamIdentifier) throws {
        guard let upload else { return }
        let read = try TeamAPIKey(
            issuer: upload.issuer,
            identifier: upload.keyID,
            pem: upload.key,
        )
        account = TeamAccount(
            issuer: read.issuer,
            keyID: read.identifier,
            sealed: try sealingKey().seal(Array(read.key.pem.utf8), as: .accountKey(of: team)),
            added: date,
            addedBy: administration.admin.name,
        )
    }

    /// Removes the key of the developer account from the team, with everything that Apple reported for it.
    mutating func removeAccount() {
        removesAccount = true
    }

    private mutating func sealingKey() throws -> SealingKey {
        guard let keyFile = administration.keyFile else { throw TeamRefusal.noKeyFile }
        guard kept.isEmpty || keyFile.isCredential || keyFile.isThere else {
            throw KeyFileRefusal.missing(keyFile.path)
        }
        let (key, isNew) = try keyFile.keyOrNew(for: store)
        if isNew { createdKeyFile = keyFile.path }
        if let other = kept.first(where: { $0.key != key.identifier }) {
            throw TeamRefusal.otherKey(
                secret: other.name,
                sealedWith: other.key,
                given: key.identifier,
            )
        }
        return key
    }

    /// Applies the changes, unless the team's certificate would be missing from one of its profiles.
    ///
    /// - Throws: ``TeamRefusal``, `AccountRefusal/none` if there is no account to remove.
    func apply(to team: inout Team) throws {
        try change(profilesOf: &team)
        if removesAccount {
            guard team.account != nil else { throw AccountRefusal.none(team.identifier) }
            team.account = nil
        }
        if let account { team.account = account.succeeding(team.account) }
        team.identity = identity ?? team.identity
        guard let identity = team.identity else { return }
        for profile in team.profiles where !profile.certificates.contains(identity.sha256) {
            let refusal = TeamRefusal.certificateMissing(
                identity.commonName,
                profile: profile.name,
            )
            throw places[profile.uuid].map(refusal.problem) ?? refusal.problem
        }
    }

    private func change(profilesOf team: inout Team) throws(TeamRefusal) {
        for uuid in removed {
            guard team.removeProfile(uuid) != nil else {
                throw .unknownProfile(uuid, of: team.identifier)
            }
        }
        for profile in profiles { team.add(profile) }
        guard team.profiles.count <= Team.profileLimit else {
            throw .tooManyProfiles(limit: Team.profileLimit)
        }
    }
}

extension TeamProfile {
    fileprivate var signers: IdentityFile.Signers {
        IdentityFile.Signers(profile: name, certificates: certificates)
    }
}

extension TeamRefusal {
    /// The same problem, with the name of the file.
    fileprivate func problem(at place: String) -> Problem {
        Problem(id: id, kind: kind, message: description, place: place, fix: fix)
    }
}
