package import Cryptography

extension DeveloperAccount {
    /// The team's distribution certificates; each may be in use elsewhere.
    package func certificates() async throws(AppleFailure) -> [AccountCertificate] {
        try await list(.certificates)
    }

    /// The certificate about a key of ours; nil when there is none.
    package func certificate(
        about key: PrivateKey
    ) async throws(AppleFailure) -> AccountCertificate? {
        let all = try await certificates()
        return all.first { $0.isAbout(key) }
    }

    /// Asks for a distribution certificate about a key, which stays here.
    ///
    /// One that is about the key already is given back. Apple allows a few of them, so a request whose
    /// answer was lost is not sent again by this call; the next call looks for it first.
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

    /// Revokes a certificate that is about a key of ours; everything signed with it stops installing.
    ///
    /// - Throws: ``AppleFailure/notOurs(what:name:)`` for a certificate about any other key.
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
