import ACME
import Cryptography
import Foundation
import HTTPServing
import Store

/// The source of the server's certificate, and how it stays valid while the server runs.
enum CertificateSource: Sendable {
    case files(CertificateFiles)
    /// The development authority, and the store that keeps its certificate.
    case development(DevelopmentAuthority, OTAStore)
    /// An ACME authority; until it issues the first certificate, the development authority.
    case acme(ACMESettings, DevelopmentAuthority, OTAStore)

    /// The authority that devices have to trust while one of its certificates is in use.
    var authority: Certificate? {
        switch self {
        case .files: nil
        case .development(let authority, _), .acme(_, let authority, _): authority.certificate
        }
    }

    /// The server's first identity.
    ///
    /// - Parameters:
    ///   - host: the host of the base URL.
    ///   - names: all names for which the server answers.
    ///   - date: the current time.
    /// - Returns: the certificate chain and the private key.
    /// - Throws: `CertificateProblem`, and `StoreFailure` if a kept certificate cannot be read.
    func identity(
        for host: String,
        names: [String],
        at date: Date,
    ) throws -> ServerIdentity {
        switch self {
        case .files(let files): try files.identity(for: host, at: date, roots: .installed)
        case .development(let authority, let store):
            try authority.keptIdentity(for: names, in: store, at: date)
        case .acme(let settings, let authority, let store):
            try CertificateUpkeep.keptIdentity(for: host, in: store, settings, at: date)
                ?? authority.keptIdentity(for: names, in: store, at: date)
        }
    }
}
