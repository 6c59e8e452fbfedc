import Access
package import Bundles
package import Cryptography
package import Essentials
package import Identifiers
import Inspection

/// One team of developers at Apple, and what the server signs with in its name:
/// `teams/{identifier}.json`.
package struct Team: Codable, Sendable, Equatable {
    package var schema = 1
    package let identifier: TeamIdentifier
    package var name: String
    /// nil while the team has none; then nothing can be signed.
    package var identity: TeamIdentity?
    /// The ones that end first come first.
    package private(set) var profiles: [TeamProfile]
    package let added: Date
    package let addedBy: String

    package init(
        _ identifier: TeamIdentifier,
        name: String,
        added: Date,
        addedBy: String,
    ) {
        self.identifier = identifier
        self.name = name
        profiles = []
        self.added = added
        self.addedBy = addedBy
    }

    /// Adds a profile; one with its UUID is replaced.
    package mutating func add(_ profile: TeamProfile) {
        profiles.removeAll { $0.uuid == profile.uuid }
        profiles.append(profile)
        profiles.sort { ($0.expires, $0.uuid) < ($1.expires, $1.uuid) }
    }

    /// Removes a profile.
    ///
    /// - Returns: the profile; nil if the team has none of that UUID.
    package mutating func removeProfile(_ uuid: String) -> TeamProfile? {
        guard let index = profiles.firstIndex(where: { $0.uuid == uuid }) else { return nil }
        return profiles.remove(at: index)
    }
}

/// The certificate of a team, and its private key as it rests.
package struct TeamIdentity: Codable, Sendable, Equatable {
    package let kind: SigningKind
    package let commonName: String
    /// Hexadecimal, as Apple shows it.
    package let serial: String
    package let begins: Date
    package let expires: Date
    /// Of the certificate.
    package let sha256: SHA256Digest
    /// The certificate, the ones above it and the private key as PEM, sealed.
    package let sealed: SealedBytes

    /// Seals an identity.
    ///
    /// - Returns: nil for a certificate that signs no apps for iOS.
    package init?(
        _ identity: SigningIdentity,
        of team: TeamIdentifier,
        sealedWith key: SealingKey,
    ) {
        let certificate = identity.certificate
        guard let kind = certificate.signingKind else { return nil }
        self.kind = kind
        commonName = certificate.description
        serial = certificate.serialNumber
        begins = certificate.notBefore
        expires = certificate.notAfter
        sha256 = certificate.sha256
        sealed = key.seal(Array(identity.pem.utf8), as: .identity(of: team))
    }

    /// The identity, ready to sign.
    ///
    /// - Throws: ``SealRefusal`` for another key and for damage.
    package func opened(
        of team: TeamIdentifier,
        with key: SealingKey,
    ) throws(SealRefusal) -> SigningIdentity {
        let purpose = SealingPurpose.identity(of: team)
        let pem = try key.open(sealed, as: purpose)
        do throws(MalformedIdentity) {
            let file = try IdentityFile(reading: pem, passphrase: nil)
            guard let identity = file.identities.first else { throw .noKey }
            return identity
        } catch {
            throw .damaged(purpose)
        }
    }
}

extension SealingPurpose {
    /// The certificate and private key of a team.
    package static func identity(of team: TeamIdentifier) -> SealingPurpose {
        SealingPurpose("signing identity", of: "team \(team)")
    }
}

/// A provisioning profile that a team signs with; its bytes are a blob.
package struct TeamProfile: Codable, Sendable, Equatable {
    package let uuid: String
    package let name: String
    package let kind: ProfileKind
    /// `com.example.app`, or with `*` at the end.
    package let bundleIdentifier: String
    package let created: Date
    package let expires: Date
    /// How many devices it lists; nil when it needs none.
    package let deviceCount: Int?
    /// Of the file.
    package let digest: SHA256Digest

    /// - Returns: nil for a profile without an application identifier.
    package init?(_ profile: ProvisioningProfile, digest: SHA256Digest) {
        guard let identifier = profile.applicationIdentifier else { return nil }
        uuid = profile.uuid
        name = profile.name
        kind = profile.kind
        bundleIdentifier = String(identifier.pattern)
        created = profile.created
        expires = profile.expires
        deviceCount = profile.devices?.count
        self.digest = digest
    }
}
