import Bytes
package import Cryptography
import Foundation

/// The roots that this machine trusts, as a stand-in for those that phones trust.
package struct SystemRoots: Sendable {
    /// DER certificates, parsed only when they may be the issuer of a certificate.
    private let encoded: [[UInt8]]

    init(_ encoded: [[UInt8]]) {
        self.encoded = encoded
    }

    /// The system's roots; none if it has no such file.
    package static let installed: SystemRoots = {
        let places = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"]
        for place in places {
            guard let text = try? String(contentsOfFile: place, encoding: .utf8),
                let blocks = PEM.blocks(in: text)
            else { continue }
            return SystemRoots(blocks.map(\.bytes))
        }
        return SystemRoots([])
    }()

    /// Returns these roots and further ones.
    package func adding(_ roots: [Certificate]) -> SystemRoots {
        SystemRoots(encoded + roots.map(\.der))
    }

    /// Returns whether one of the roots signed the certificate.
    func signed(_ certificate: Certificate) -> Bool {
        // An issuer's name is nearly always encoded as in the root itself, so few roots are parsed.
        var others: [[UInt8]] = []
        for root in encoded {
            guard root.firstRange(ofBytes: certificate.issuer.der) != nil else {
                others.append(root)
                continue
            }
            if Self.signed(certificate, root) { return true }
        }
        return others.contains { Self.signed(certificate, $0) }
    }

    private static func signed(_ certificate: Certificate, _ encoded: [UInt8]) -> Bool {
        guard let root = try? Certificate(der: encoded) else { return false }
        return root.subject == certificate.issuer && certificate.isSigned(by: root)
    }
}
