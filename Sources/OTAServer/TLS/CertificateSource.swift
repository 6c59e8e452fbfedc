import Cryptography
import Foundation
import HTTPServing
import Store

/// Where the server's certificate comes from, and how it stays good while the server runs.
enum CertificateSource: Sendable {
    case files(CertificateFiles)
    /// The authority, and the store that its certificate is kept in.
    case development(DevelopmentAuthority, OTAStore)

    /// The authority that phones have to install; nil if they trust the root already.
    var authority: Certificate? {
        switch self {
        case .files: nil
        case .development(let authority, _): authority.certificate
        }
    }

    /// The identity to begin with.
    func identity(for host: String, names: [String], at date: Date) throws -> ServerIdentity {
        switch self {
        case .files(let files): try files.identity(for: host, at: date, roots: .installed)
        case .development(let authority, let store):
            try authority.keptIdentity(for: names, in: store, at: date)
        }
    }
}
