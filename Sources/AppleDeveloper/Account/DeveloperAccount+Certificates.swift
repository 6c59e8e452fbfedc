package import Cryptography

extension DeveloperAccount {
    /// The team's distribution certificates, any of which may be in use elsewhere.
    package func certificates() async throws(AppleFailure) -> [AccountCertificate] {
        try await list(.certificates)
    }

    /// The certificate for one of this server's keys; nil when there is none.
    package func certificate(
        about key: PrivateKey
    ) async throws(AppleFailure) -> AccountCertificate? {
        let all = try await certificates()
        return all.first { $0.isAbout(key) }
    }

    /// Requests a distribution certificate for a key; the private key is not sent.
    ///
    /// An existing certificate for the key is returned. Apple allows only a few, so this call does not
    /// repeat a request whose response was lost; the next call first searches for the certificate.
    package func createCertificate(
        for key: PrivateKey,
        subject: DistinguishedName,
    ) async throws(AppleFailure) -> AccountCertificate {
        if let known = try await certificate(about: key) { return known }
        let request: CertificateSigningRequest
        do throws(MalformedKey) {
            request = try CertificateSigningRequest(for: key, subject: subject)
        } catch {
            throw .key(error)
        }
        let made: AccountCertificate = try await create(
            .create(request),
            naming: "certificate",
            mayRepeat: false,
        ) { () async throws(AppleFailure) in
            try await certificate(about: key)
        }
        guard made.isAbout(key) else {
            throw .unreadable(reason: "the certificate is for another key")
        }
        return made
    }

    /// Revokes a certificate for one of this server's keys; builds signed with it can no longer be
    /// installed.
    ///
    /// - Throws: ``AppleFailure/notOurs(what:name:)`` for a certificate with any other key.
    package func revoke(
        _ id: ResourceID,
        about key: PrivateKey,
    ) async throws(AppleFailure) {
        do throws(AppleFailure) {
            let found: AccountCertificate = try await value(.certificate(id))
            guard found.isAbout(key) else {
                throw AppleFailure.notOurs(what: "certificate", name: found.name)
            }
            try await perform(.revokeCertificate(id))
        } catch {
            guard case .notFound = error else { throw error }
        }
    }
}
