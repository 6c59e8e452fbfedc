package import Cryptography
package import Essentials
package import Identifiers

/// The certificate of a team, and its sealed private key.
package struct TeamIdentity: Codable, Sendable, Equatable {
    package let kind: SigningKind
    package let commonName: String
    /// The serial number in hexadecimal, as shown by Apple.
    package let serial: String
    package let begins: Date
    package let expires: Date
    /// The digest of the certificate.
    package let sha256: SHA256Digest
    /// The certificate, its issuers and the private key in PEM, sealed.
    package let sealed: SealedBytes

    /// Seals an identity.
    ///
    /// - Returns: nil for a certificate that cannot sign iOS apps.
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

    /// Decrypts the identity.
    ///
    /// - Throws: ``SealRefusal`` for a wrong key and for damaged data.
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
    /// Seals a team's certificate and private key.
    package static func identity(of team: TeamIdentifier) -> SealingPurpose {
        SealingPurpose("signing identity", of: "team \(team)")
    }
}
