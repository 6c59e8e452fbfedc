import Cryptography
import Foundation
import HTTPServing
import Releases
import Store

/// The root that `ota` creates if the operator configured no certificate.
///
/// It is created once and kept in the store's `keys/`, readable by the owner only, like the certificate
/// that it issues. That one is renewed before it expires and when the machine has names that it does not
/// cover: a device that trusts the root trusts the new one too.
struct DevelopmentAuthority: Sendable {
    private static let secretName = OTAStore.developmentAuthorityName
    private static let leafName = "development-certificate.pem"
    private static let year = 365.0 * 86_400
    /// Below the 398 days that browsers allow for a public certificate.
    private static let leafLife = 397.0 * 86_400 - 3600
    /// Seconds before its expiry at which a leaf is renewed.
    static let renewal = 30.0 * 86_400

    let certificate: Certificate
    private let key: PrivateKey

    /// Returns the store's authority, creating it if there is none.
    static func kept(in store: OTAStore, at date: Date) throws -> DevelopmentAuthority {
        if let authority = try read(from: store) { return authority }
        let settings = try store.settings()
        let new = try made(for: settings.instance, at: date)
        let keeping = keep(new, in: store)
        // If another process was faster, its authority is used.
        if let authority = try read(from: store) { return authority }
        try keeping.get()
        return new
    }

    private static func keep(
        _ authority: DevelopmentAuthority,
        in store: OTAStore,
    ) -> Result<Void, StoreFailure> {
        Result { () throws(StoreFailure) in
            try store.keep(secret: authority.certificate.pem + authority.key.pem, as: secretName)
        }
    }

    private static func read(from store: OTAStore) throws -> DevelopmentAuthority? {
        guard let text = try store.secret(secretName) else { return nil }
        return try DevelopmentAuthority(pem: text)
    }

    private static func made(
        for instance: String,
        at date: Date,
    ) throws -> DevelopmentAuthority {
        let key = try PrivateKey.generate(.p256)
        let template = CertificateTemplate.authority(
            DistinguishedName(
                commonName: "ota development authority \(instance.prefix(8))",
                organization: "ota",
            ),
            serial: CertificateTemplate.randomSerial(),
            validity: date.addingTimeInterval(-86_400)...date.addingTimeInterval(10 * year),
            pathLength: 0,
        )
        return DevelopmentAuthority(certificate: try template.issued(for: key), key: key)
    }

    private init(certificate: Certificate, key: PrivateKey) {
        self.certificate = certificate
        self.key = key
    }

    private init(pem text: String) throws {
        let path = "keys/\(Self.secretName)"
        let certificate: Certificate?
        let key: PrivateKey
        do {
            certificate = try Certificate.chain(pem: text).first
            key = try PrivateKey(pem: text)
        } catch {
            throw StoreFailure.unreadable(path: path, offset: nil, reason: "\(error)")
        }
        guard let certificate, key.matches(certificate) else {
            throw StoreFailure.unreadable(
                path: path,
                offset: nil,
                reason: "the key is not that of the certificate",
            )
        }
        self.init(certificate: certificate, key: key)
    }

    /// Returns the kept certificate, or a new one if it does not cover the names or expires soon.
    func keptIdentity(
        for names: [String],
        in store: OTAStore,
        at date: Date,
    ) throws -> ServerIdentity {
        if let kept = try keptIdentity(in: store), isGood(kept, for: names, at: date) {
            return kept
        }
        let new = try identity(for: names, at: date)
        let text = new.chain.map(\.pem).joined() + new.key.pem
        do throws(StoreFailure) {
            try store.replace(secret: text, as: Self.leafName)
        } catch {
            // Another starting server has kept its own at the same time; this one is just as valid until it
            // expires.
            guard case .conflict = error else { throw error }
        }
        return new
    }

    /// Whether the certificate does not need to be replaced yet.
    func isGood(_ identity: ServerIdentity, for names: [String], at date: Date) -> Bool {
        guard let leaf = identity.chain.first, leaf.isSigned(by: certificate),
            identity.key.matches(leaf)
        else { return false }
        return Set(names).isSubset(of: identity.names) && date >= leaf.notBefore
            && date.addingTimeInterval(Self.renewal) <= leaf.notAfter
    }

    /// - Throws: ``StoreFailure`` and what is wrong with a damaged file.
    private func keptIdentity(in store: OTAStore) throws -> ServerIdentity? {
        guard let text = try store.secret(Self.leafName) else { return nil }
        do {
            let chain = try Certificate.chain(pem: text)
            return ServerIdentity(chain: chain, key: try PrivateKey(pem: text))
        } catch {
            throw StoreFailure.unreadable(
                path: "keys/\(Self.leafName)",
                offset: nil,
                reason: "\(error)",
            )
        }
    }

    /// Issues a certificate for this machine, with a key of its own.
    func identity(for names: [String], at date: Date) throws -> ServerIdentity {
        let key = try PrivateKey.generate(.p256)
        let begin = date.addingTimeInterval(-3600)
        let template = CertificateTemplate.server(
            names.map { AlternativeName($0) },
            serial: CertificateTemplate.randomSerial(),
            validity: begin...min(begin.addingTimeInterval(Self.leafLife), certificate.notAfter),
        )
        let issuer = SigningIdentity(certificate: certificate, key: self.key)
        return ServerIdentity(
            chain: [try template.issued(for: key, by: issuer), certificate],
            key: key,
        )
    }
}
