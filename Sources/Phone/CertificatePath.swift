import Cryptography
import Foundation

/// The chain from a server's certificate through the certificates that it sent, as far as it leads.
struct CertificatePath {
    /// The server's certificate first, without the root.
    let certificates: [Certificate]
    let end: End

    enum End: Equatable {
        /// At a trusted root, which is part of the system or was installed.
        case trusted(root: Certificate, isSystem: Bool)
        /// At an untrusted self-signed certificate.
        case selfMade(Certificate)
        /// At a certificate whose issuer was not sent and is not trusted.
        case missingIssuer(of: Certificate)
    }

    /// Builds the chain; each sent certificate is used at most once, so the search is short for any
    /// input.
    init(from leaf: Certificate, through sent: [Certificate], to roots: TrustedRoots) {
        var path = [leaf]
        var unused = sent.filter { $0 != leaf }
        var top = leaf
        while true {
            if let root = roots.issuer(of: top) {
                certificates = top == root.certificate && path.count > 1 ? path.dropLast() : path
                end = .trusted(root: root.certificate, isSystem: root.isSystem)
                return
            }
            if top.isSelfIssued, top.isSigned(by: top) {
                certificates = path
                end = .selfMade(top)
                return
            }
            let next = unused.firstIndex { $0.subject == top.issuer && top.isSigned(by: $0) }
            guard let next else {
                certificates = path
                end = .missingIssuer(of: top)
                return
            }
            top = unused.remove(at: next)
            path.append(top)
        }
    }
}

/// The trusted root certificates of a phone.
struct TrustedRoots: Sendable {
    private let installed: [Certificate]
    private let system: [DistinguishedName: [Certificate]]

    init(installed: [Certificate], system: [Certificate] = Self.systemCertificates) {
        self.installed = installed
        self.system = Dictionary(grouping: system, by: \.subject)
    }

    var hasInstalled: Bool { !installed.isEmpty }

    var certificates: [Certificate] { installed + system.values.flatMap(\.self) }

    /// The root that signed `certificate`, or the certificate itself if it is a root.
    func issuer(of certificate: Certificate) -> (certificate: Certificate, isSystem: Bool)? {
        if let root = Self.issuer(of: certificate, among: installed) { return (root, false) }
        let named = (system[certificate.issuer] ?? [])
        if let root = Self.issuer(of: certificate, among: named) { return (root, true) }
        return nil
    }

    private static func issuer(
        of certificate: Certificate,
        among roots: [Certificate],
    ) -> Certificate? {
        roots.first {
            $0 == certificate || ($0.subject == certificate.issuer && certificate.isSigned(by: $0))
        }
    }

    /// This machine's bundle of public authorities, used in place of that of iOS.
    private static let systemCertificates: [Certificate] = {
        let places = [
            "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
            "/etc/ssl/cert.pem",
        ]
        for place in places {
            guard let text = try? String(contentsOfFile: place, encoding: .utf8),
                let blocks = PEM.blocks(in: text)
            else { continue }
            return blocks.compactMap { try? Certificate(der: $0.bytes) }
        }
        return []
    }()
}
