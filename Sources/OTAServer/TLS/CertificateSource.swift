import ACME
import Cryptography
import Foundation
import HTTPServing
import Store

/// Where the server's certificate comes from, and how it stays good while the server runs.
enum CertificateSource: Sendable {
    case files(CertificateFiles)
    /// The authority, and the store that its certificate is kept in.
    case development(DevelopmentAuthority, OTAStore)
    /// An authority of the internet; until its first certificate is there, the development authority.
    case acme(ACMESettings, DevelopmentAuthority, OTAStore)

    /// The authority that phones have to install while one of its certificates is in use.
    var authority: Certificate? {
        switch self {
        case .files: nil
        case .development(let authority, _), .acme(_, let authority, _): authority.certificate
        }
    }

    /// The identity to begin with.
    ///
    /// - Parameters:
    ///   - host: of the base URL.
    ///   - names: all that the server answers for.
    ///   - date: the present.
    /// - Returns: chain and key.
    /// - Throws: `CertificateProblem`, and `StoreFailure` for what is kept and cannot be read.
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
