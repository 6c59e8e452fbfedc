import Cryptography
import Foundation
import HTTPServing
import OTAServer

/// Certificates as issued by a private authority.
struct OwnAuthority {
    let root: SigningIdentity
    let intermediate: SigningIdentity

    init() throws {
        root = try Self.authority("Test Root", by: nil)
        intermediate = try Self.authority("Test Intermediate", by: root)
    }

    func identity(
        for names: [String] = ["localhost", "127.0.0.1"],
        days: ClosedRange<Double> = -1...90,
    ) throws -> SigningIdentity {
        let key = try PrivateKey.generate(.p256)
        let now = Date()
        let template = CertificateTemplate.server(
            names.map { AlternativeName($0) },
            serial: CertificateTemplate.randomSerial(),
            validity: now.addingTimeInterval(
                days.lowerBound * 86_400
            )...now.addingTimeInterval(days.upperBound * 86_400),
        )
        return SigningIdentity(
            certificate: try template.issued(for: key, by: intermediate),
            key: key,
        )
    }

    /// The whole chain, including the root.
    func chain(_ identity: SigningIdentity) -> [Certificate] {
        [identity.certificate, intermediate.certificate, root.certificate]
    }

    private static func authority(
        _ name: String,
        by issuer: SigningIdentity?,
    ) throws -> SigningIdentity {
        let key = try PrivateKey.generate(.p256)
        let template = CertificateTemplate.authority(
            DistinguishedName(commonName: name),
            serial: CertificateTemplate.randomSerial(),
            validity: Date(timeIntervalSinceNow: -864_000)...Date(timeIntervalSinceNow: 8_640_000),
        )
        return SigningIdentity(certificate: try template.issued(for: key, by: issuer), key: key)
    }
}

/// The two files of a certificate, as a renewal tool writes them.
struct OwnFiles: Sendable {
    let folder: URL
    var files: CertificateFiles {
        CertificateFiles(
            chain: folder.appending(path: "chain.pem").path(),
            key: folder.appending(path: "key.pem").path(),
        )
    }

    func write(_ chain: [Certificate], _ key: PrivateKey) throws {
        try replace("chain.pem", chain.pem)
        try replace("key.pem", key.pem)
    }

    /// Replaces a file by a rename, so that no reader sees a partial file.
    func replace(_ name: String, _ text: String) throws {
        let temporary = folder.appending(path: ".\(name).new")
        try Data(text.utf8).write(to: temporary)
        _ = unsafe rename(temporary.path(), folder.appending(path: name).path())
    }
}
