import ArgumentParser
import Cryptography
import Foundation
import Problems

/// The authorities that a command trusts in addition to Apple's.
struct AnchorOptions: ParsableArguments {
    @Option(
        name: .customLong("trusted-ca"),
        help: ArgumentHelp(
            """
            A PEM file with an additional authority whose signatures on builds are trusted, for private \
            tests. publish and serve save it in the store; publish also reads OTA_TRUSTED_CA. May be \
            repeated.
            """,
            valueName: "file",
        ),
    )
    var files: [String] = []

    /// The certificates of all files, as PEM.
    func pem() throws -> [String] {
        try certificates().map(\.pem)
    }

    /// The certificates of all files.
    func certificates() throws -> [Certificate] {
        try files.flatMap { try Self.certificates(in: $0) }
    }

    /// Adds the file named by OTA_TRUSTED_CA, formerly OTA_ANCHOR, if no option names one.
    func adding(_ environment: [String: String]) -> AnchorOptions {
        var all = self
        let named = environment["OTA_TRUSTED_CA"].given ?? environment["OTA_ANCHOR"].given
        if files.isEmpty, let named { all.files = [named] }
        return all
    }

    /// Apple's authorities, the additional ones, and those that a store keeps as PEM.
    func anchors(remembered: [String] = []) throws -> TrustAnchors {
        let own = try certificates()
        let kept = try remembered.flatMap { try Certificate.chain(pem: $0) }
        return TrustAnchors.apple.adding(own + kept)
    }

    /// The certificates of one PEM file.
    static func certificates(in file: String) throws -> [Certificate] {
        let bytes = try TextInput.bytes(file, limit: 1 << 20)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Problem(
                id: "anchor.not-pem",
                kind: .invalid,
                message: "\(file) is not a certificate in PEM form",
                place: file,
                // A DER certificate begins with a SEQUENCE with a two-byte length.
                fix: bytes.starts(with: [0x30, 0x82])
                    ? "convert it: `openssl x509 -inform der -in \(file) -out authority.pem`"
                    : "give the authority's certificate, a text file with BEGIN CERTIFICATE lines",
            )
        }
        do throws(MalformedCertificate) {
            let certificates = try Certificate.chain(pem: text)
            if !certificates.isEmpty { return certificates }
        } catch {
            throw Problem(
                id: "certificate.malformed",
                kind: .invalid,
                message: "\(error)",
                place: file,
                fix: "give a PEM file with BEGIN CERTIFICATE lines",
            )
        }
        throw Problem(
            id: "anchor.empty",
            kind: .invalid,
            message: "the file contains no certificate",
            place: file,
            fix: "give a PEM file with BEGIN CERTIFICATE lines",
        )
    }
}
