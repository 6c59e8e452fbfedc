package import Cryptography
import Foundation

/// The roots that this machine trusts, as a stand-in for those that phones do.
package struct SystemRoots: Sendable {
    private let byName: [String: [Certificate]]

    init(_ roots: [Certificate]) {
        byName = Dictionary(grouping: roots) { $0.subject.description }
    }

    /// The roots of the system, or none where it has no such file.
    package static let installed: SystemRoots = {
        let places = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"]
        for place in places {
            guard let text = try? String(contentsOfFile: place, encoding: .utf8),
                let roots = try? Certificate.chain(pem: text)
            else { continue }
            return SystemRoots(roots)
        }
        return SystemRoots([])
    }()

    /// These roots and more.
    package func adding(_ roots: [Certificate]) -> SystemRoots {
        SystemRoots(byName.values.flatMap(\.self) + roots)
    }

    func signed(_ certificate: Certificate) -> Bool {
        (byName[certificate.issuer.description] ?? []).contains { certificate.isSigned(by: $0) }
    }
}
