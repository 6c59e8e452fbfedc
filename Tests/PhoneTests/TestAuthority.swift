import Cryptography
import Foundation

/// An authority with an intermediate, which issues server certificates.
struct TestAuthority: Sendable {
    let root: SigningIdentity
    let intermediate: SigningIdentity

    static let shared = Result { try TestAuthority("Phone Tests Root") }

    init(_ name: String) throws {
        let now = Date()
        let validity = now.addingTimeInterval(-86_400)...now.addingTimeInterval(86_400 * 3_650)
        let key = try PrivateKey.generate(.p256)
        let root = try CertificateTemplate.authority(
            DistinguishedName(commonName: name),
            serial: [1],
            validity: validity,
        ).issued(for: key)
        self.root = SigningIdentity(certificate: root, key: key)
        let below = try PrivateKey.generate(.p256)
        let middle = try CertificateTemplate.authority(
            DistinguishedName(commonName: name + " Intermediate"),
            serial: [2],
            validity: validity,
            pathLength: 0,
        ).issued(for: below, by: self.root)
        intermediate = SigningIdentity(certificate: middle, key: below)
    }

    /// Returns a server's identity below the intermediate, with a change to the usual certificate.
    func server(
        days: ClosedRange<Double> = -1...90,
        key recipe: PrivateKey.Recipe = .p256,
        _ change: (inout CertificateTemplate) -> Void = { _ in },
    ) throws -> SigningIdentity {
        let now = Date()
        var template = CertificateTemplate.server(
            [.dns("localhost"), .address([127, 0, 0, 1])],
            serial: CertificateTemplate.randomSerial(),
            validity: now.addingTimeInterval(
                days.lowerBound * 86_400
            )...now.addingTimeInterval(days.upperBound * 86_400),
        )
        change(&template)
        let key = try PrivateKey.generate(recipe)
        return SigningIdentity(
            certificate: try template.issued(for: key, by: intermediate),
            key: key,
            chain: [intermediate.certificate],
        )
    }
}
