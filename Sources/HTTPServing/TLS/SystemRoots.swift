import Bytes
package import Cryptography
import Foundation

/// The roots that this machine trusts, as a stand-in for those that phones do.
package struct SystemRoots: Sendable {
    /// DER, each parsed when a certificate may be signed by it.
    private let encoded: [[UInt8]]

    init(_ encoded: [[UInt8]]) {
        self.encoded = encoded
    }

    /// The roots of the system, or none where it has no such file.
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

    /// These roots and more.
    package func adding(_ roots: [Certificate]) -> SystemRoots {
        SystemRoots(encoded + roots.map(\.der))
    }

    /// Whether one of the roots signed the certificate.
    func signed(_ certificate: Certificate) -> Bool {
        // An issuer's name is nearly always encoded as in the root itself, so one of many is parsed.
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
