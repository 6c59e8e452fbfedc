import Bytes
import Cryptography
import Foundation
import Sample

/// A test server that behaves like App Store Connect's API: `AppleServer FOLDER`.
///
/// It writes the files that a client needs into the folder, and then a line of JSON with its URL, the issuer
/// and the key to standard output:
/// - `anchor.pem`: the authority of its TLS certificate,
/// - `authority.pem`: the authority of profiles and certificates,
/// - `AuthKey.p8`: the API key.
///
/// `POST /control/orders` takes a ``ControlOrder``, `POST /control/identities` returns a distribution
/// certificate of the account with its private key, and `GET /control/state` a ``ControlReport``. `POST
/// /control/remember` saves the account's state for `POST /control/return`, which also forgets requests and
/// traps. ``AppleAccounts`` describes how to open further accounts.
@main
struct AppleServerProgram {
    private static let keyID = "2X9R4HXF34"

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "--help" || arguments.first == "-h" {
            print("usage: AppleServer FOLDER")
            print("Writes the certificates and the key that a client needs into the folder.")
            return
        }
        guard let path = arguments.first, arguments.count == 1, !path.hasPrefix("-") else {
            FileHandle.standardError.write(Data("usage: AppleServer FOLDER\n".utf8))
            exit(64)
        }
        let folder = URL(filePath: path, directoryHint: .isDirectory)
        let now = Date()
        let authority = try SigningAuthority(validFrom: now.addingDays(-30))
        let server = try identity(at: now)
        let whole = Contract.whole()
        if whole == nil {
            FileHandle.standardError.write(
                Data(
                    "Apple's contract is not here; only the facts of this project are checked\n"
                        .utf8
                )
            )
        }
        let (accounts, issuer, key) = try AppleAccounts.opened(
            under: authority,
            keyID: keyID,
            contracts: [Contract.facts, whole].compactMap(\.self),
        )
        try write(server.chain.map(\.pem).joined(), "anchor.pem", in: folder)
        // Programs know Apple's own intermediate certificates, but not these.
        try write(
            authority.anchorPEM + authority.worldwideAuthority.certificate.pem,
            "authority.pem",
            in: folder,
        )
        try write(key.pem, "AuthKey.p8", in: folder)
        try await TLSListener.run(as: server, answering: accounts) { port in
            let line = JSONValue.object([
                "url": .text("https://localhost:\(port)"), "issuer": .text(issuer),
                "key": .text(keyID),
            ])
            FileHandle.standardOutput.write(Data(line.bytes + [UInt8(ascii: "\n")]))
        }
    }

    /// A certificate for `localhost`, directly below its own authority.
    private static func identity(at now: Date) throws -> SigningIdentity {
        let validity = now.addingDays(-1)...now.addingDays(300)
        let rootKey = try PrivateKey.generate(.p256)
        let root = try CertificateTemplate.authority(
            DistinguishedName(commonName: "ota Sample Server Root"),
            serial: CertificateTemplate.randomSerial(),
            validity: validity,
        ).issued(for: rootKey)
        let key = try PrivateKey.generate(.p256)
        let certificate = try CertificateTemplate.server(
            [.dns("localhost"), .address([127, 0, 0, 1])],
            serial: CertificateTemplate.randomSerial(),
            validity: validity,
        ).issued(for: key, by: SigningIdentity(certificate: root, key: rootKey))
        return SigningIdentity(certificate: certificate, key: key, chain: [root])
    }

    private static func write(_ text: String, _ name: String, in folder: URL) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }
}
