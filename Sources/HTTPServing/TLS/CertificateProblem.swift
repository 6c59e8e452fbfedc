package import Foundation
package import Problems

/// The reason why a certificate and key from the operator cannot be used.
package enum CertificateProblem: ReportableError, Equatable, Sendable {
    case unreadable(path: String, reason: String)
    case noCertificate(path: String)
    case malformed(path: String, reason: String)
    case wrongOrder(position: Int)
    case incomplete(missing: String)
    case keyDoesNotMatch
    case authorityAsLeaf
    case notYetValid(Date)
    case expired(Date)
    case wrongHost(String, names: [String])
    case unusable(reason: String)

    package var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
        case .noCertificate(let path): "\(path) contains no certificate"
        case .malformed(let path, let reason): "\(path) cannot be used: \(reason)"
        case .wrongOrder(let position):
            "certificate \(position) of the chain did not sign the one before it; "
                + "the server's own comes first, then each one's issuer"
        case .incomplete(let missing):
            "the chain ends before a root that devices trust: append the certificate of \(missing)"
        case .keyDoesNotMatch: "the private key does not belong to the first certificate"
        case .authorityAsLeaf: "the first certificate belongs to an authority, not to a server"
        case .notYetValid(let date):
            "the certificate is valid only from \(date.formatted(.iso8601))"
        case .expired(let date): "the certificate expired on \(date.formatted(.iso8601))"
        case .wrongHost(let host, let names):
            "the certificate is for \(names.joined(separator: ", ")) and not for \(host)"
        case .unusable(let reason): "TLS refuses the certificate: \(reason)"
        }
    }

    package var kind: Problem.Kind {
        if case .unreadable = self { .unavailable } else { .invalid }
    }

    /// A stable identifier for scripts.
    package var id: String {
        switch self {
        case .unreadable: "certificate.unreadable"
        case .noCertificate: "certificate.none"
        case .malformed: "certificate.malformed"
        case .wrongOrder: "certificate.wrong-order"
        case .incomplete: "certificate.incomplete-chain"
        case .keyDoesNotMatch: "certificate.key-mismatch"
        case .authorityAsLeaf: "certificate.authority"
        case .notYetValid: "certificate.not-yet-valid"
        case .expired: "certificate.expired"
        case .wrongHost: "certificate.wrong-host"
        case .unusable: "certificate.unusable"
        }
    }

    /// The file, or the part of the chain, that has the problem.
    package var place: String {
        switch self {
        case .unreadable(let path, _), .noCertificate(let path), .malformed(let path, _): path
        case .wrongOrder(let position): "certificate \(position) of the chain"
        case .incomplete: "the end of the chain"
        case .keyDoesNotMatch: "the private key"
        case .authorityAsLeaf, .notYetValid, .expired, .wrongHost, .unusable:
            "the first certificate of the chain"
        }
    }

    /// The action that fixes it.
    package var fix: String {
        switch self {
        case .unreadable: "check the path, and that this user may read the file"
        case .noCertificate, .malformed:
            "give PEM files: one with the chain of certificates, one with the unencrypted key"
        case .wrongOrder:
            "put the server's certificate first, and after each certificate that of its issuer"
        case .incomplete(let missing): "append the certificate of \(missing) to the file"
        case .keyDoesNotMatch: "give the private key of the first certificate"
        case .authorityAsLeaf: "put the server's own certificate first"
        case .notYetValid: "check this machine's clock"
        case .expired: "renew the certificate"
        case .wrongHost(let host, _):
            "get a certificate for \(host), or give a base URL whose host the certificate names"
        case .unusable: "get a certificate with an RSA key of 2048 bits or an EC key on P-256"
        }
    }
}
