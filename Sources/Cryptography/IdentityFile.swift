/// The contents of a file with private keys and certificates: PKCS#12, as Keychain Access exports it, or
/// PEM with keys and certificates in any order.
package struct IdentityFile: Sendable {
    /// Every key with its certificate, in the order of the file; never empty.
    ///
    /// The chain of each contains the issuing certificates from the file, the issuer first.
    package let identities: [SigningIdentity]

    /// Maximum size in bytes; an export has a few thousand.
    package static let sizeLimit = 1 << 20
    /// Maximum number of keys, certificates and the containers around them.
    static let partLimit = 64

    /// Reads a file.
    ///
    /// The size, the number of parts and the rounds of key derivation are limited before any work is
    /// done.
    ///
    /// - Parameters:
    ///   - bytes: the contents of the file.
    ///   - passphrase: nil when none was given; files that need none can still be read.
    /// - Throws: ``MalformedIdentity``.
    package init(reading bytes: [UInt8], passphrase: String?) throws(MalformedIdentity) {
        guard bytes.count <= Self.sizeLimit else { throw .tooLarge(limit: Self.sizeLimit) }
        let parts: IdentityParts
        if bytes.firstRange(of: Array("-----BEGIN ".utf8)) != nil {
            parts = try IdentityParts(pem: bytes, passphrase: passphrase)
        } else if bytes.first == 0x30 {
            parts = try IdentityParts(pkcs12: bytes, passphrase: passphrase)
        } else {
            throw .unknownFormat
        }
        identities = try parts.identities()
    }
}

/// The keys and certificates of a file, in its order.
struct IdentityParts {
    var keys: [PrivateKey] = []
    var certificates: [Certificate] = []
    /// Why the first unreadable certificate could not be read.
    var failure: MalformedCertificate?

    /// Every key that has a certificate, with that certificate.
    fileprivate func identities() throws(MalformedIdentity) -> [SigningIdentity] {
        guard !keys.isEmpty else { throw .noKey }
        let identities = keys.compactMap { key in
            certificates.first { key.matches($0) }.map { own in
                SigningIdentity(
                    certificate: own,
                    key: key,
                    chain: issuers(over: own),
                )
            }
        }
        guard !identities.isEmpty else {
            throw failure.map { .certificate($0) } ?? .noCertificate
        }
        return identities
    }

    /// The certificates above `leaf`, each after the one that it issued.
    private func issuers(over leaf: Certificate) -> [Certificate] {
        var ordered: [Certificate] = []
        var rest = certificates.filter { $0 != leaf }
        var top = leaf
        while !top.isSelfIssued,
            let next = rest.firstIndex(where: {
                $0.subject == top.issuer && top.isSigned(by: $0)
            })
        {
            top = rest.remove(at: next)
            ordered.append(top)
        }
        return ordered
    }

    mutating func add(certificate der: [UInt8]) throws(MalformedIdentity) {
        try makeRoom()
        do throws(MalformedCertificate) {
            certificates.append(try Certificate(der: der))
        } catch {
            failure = failure ?? error
        }
    }

    mutating func add(
        key read: () throws(MalformedKey) -> PrivateKey
    ) throws(MalformedIdentity) {
        try makeRoom()
        do throws(MalformedKey) {
            let key = try read()
            // Signing with a modulus as large as the file would take too long.
            if case .rsa(let bits) = key.kind, bits > 16_384 { throw .unsupported(key.kind) }
            try key.prove()
            keys.append(key)
        } catch {
            throw .key(error)
        }
    }

    private func makeRoom() throws(MalformedIdentity) {
        guard keys.count + certificates.count < IdentityFile.partLimit else {
            throw .tooManyParts(limit: IdentityFile.partLimit)
        }
    }
}
