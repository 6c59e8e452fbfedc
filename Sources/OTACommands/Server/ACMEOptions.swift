import ACME
import ArgumentParser
import Cryptography
import HTTPServing

/// The ACME authority that issues the server's certificate.
struct ACMEOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Get and renew a certificate that phones trust, from Let's Encrypt or another ACME \
            authority, which can write to this e-mail address. With this option you agree to the \
            authority's terms of service.
            """,
            valueName: "email",
        )
    )
    var acme: String?

    @Option(
        help: ArgumentHelp(
            """
            The directory of the ACME authority; default: Let's Encrypt. For trials, its staging \
            environment: https://acme-staging-v02.api.letsencrypt.org/directory
            """,
            valueName: "url",
        )
    )
    var acmeDirectory: String?

    @Option(
        name: .customLong("acme-ca-file"),
        help: ArgumentHelp(
            """
            A PEM file with the root certificate of a private ACME authority, to trust in addition to \
            the system's: for TLS to the authority and for the certificates that it issues. May be \
            repeated.
            """,
            valueName: "file",
        ),
    )
    var acmeAuthorities: [String] = []

    /// - Parameters:
    ///   - certificate: the certificate file that was given.
    ///   - hosts: further hosts of the server.
    /// - Throws: `ValidationError` for contradictory options.
    func validate(beside certificate: String?, hosts: [ServedHost]) throws {
        guard let acme else {
            guard acmeDirectory == nil, acmeAuthorities.isEmpty else {
                throw ValidationError("--acme-directory and --acme-ca-file need --acme EMAIL")
            }
            return
        }
        guard certificate == nil else {
            throw ValidationError(
                "give --acme or --certificate, not both"
            )
        }
        guard Self.isAddress(acme) else {
            throw ValidationError(
                "--acme must be an e-mail address, such as ops@example.com; the authority writes to it"
            )
        }
        if let host = hosts.first(where: { $0.name.hasPrefix("*") }) {
            throw ValidationError(
                "--acme cannot get a certificate for \(host.name): name each host with --allow-host"
            )
        }
    }

    /// - Throws: `MalformedACMEDirectory`, and `Problem` for a file without certificates.
    func settings() throws -> ACMESettings? {
        guard let acme else { return nil }
        return ACMESettings(
            directory: try acmeDirectory.map { try ACMEDirectoryAddress($0) } ?? .letsEncrypt,
            email: acme,
            anchors: try acmeAuthorities.flatMap { try AnchorOptions.certificates(in: $0) },
        )
    }

    /// Whether the text is a single plain e-mail address, which a `mailto` URL cannot read as more.
    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && text.utf8.count <= 254
            && parts[1].contains(".")
            && text.utf8.allSatisfy {
                (0x21..<0x7f).contains($0) && !"<>,;:?%\"()[]\\".utf8.contains($0)
            }
    }
}
