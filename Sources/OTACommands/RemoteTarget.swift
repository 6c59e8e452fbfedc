import APIDocuments
import Access
import Administration
import Bytes
import Cryptography
import Foundation
import OTAClient
import Problems
import Releases

extension TargetOptions {
    /// Returns a server on which a command acts.
    func remote(_ address: String, in context: CommandContext) throws -> RemoteAdministration {
        RemoteAdministration(try connection(to: address, in: context))
    }

    /// Returns a connection to a server, with token, trust and proxy.
    func connection(
        to address: String,
        in context: CommandContext,
    ) throws -> ServerConnection {
        let url: BaseURL
        do {
            url = try BaseURL(address)
        } catch {
            throw Problem(
                id: "server.malformed-url",
                kind: .invalid,
                message: "\(quoted: address) is not the address of a server",
                fix: "give it as https://host, https://host:port or https://host/path",
            )
        }
        return ServerConnection(
            to: url,
            showing: try secret(in: context),
            trusting: try trust(in: context),
            through: try ProxyServer.leading(to: url, in: context.environment),
        )
    }

    /// A token is never an argument, because every user of a machine can read the arguments of its
    /// processes.
    private func secret(in context: CommandContext) throws -> TokenSecret {
        let text: String
        if let tokenFile {
            text = try TextInput.read(tokenFile, limit: 4096)
        } else if let token = context.environment["OTA_TOKEN"], !token.isEmpty {
            text = token
        } else {
            throw ServerFailure.noToken
        }
        guard let secret = TokenSecret(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw ServerFailure.malformedToken
        }
        return secret
    }

    /// Options take precedence over variables, and an empty variable counts as unset.
    private func trust(in context: CommandContext) throws -> ServerTrust {
        let isTold = fingerprint != nil || caFile != nil
        let named = isTold ? [:] : context.environment
        if let fingerprint = fingerprint ?? named["OTA_FINGERPRINT"].given {
            let digits = fingerprint.filter { $0 != ":" && $0 != " " }.lowercased()
            guard let digest = SHA256Digest(hex: digits) else {
                throw Problem(
                    id: "server.malformed-fingerprint",
                    kind: .invalid,
                    message: "the fingerprint is not a SHA-256",
                    place: self.fingerprint == nil ? "OTA_FINGERPRINT" : "--fingerprint",
                    fix: "give 64 hexadecimal digits, with or without colons",
                )
            }
            return .fingerprint(digest)
        }
        let authority = caFile ?? named["OTA_CA_FILE"].given
        return try authority.map { .authorities(try AnchorOptions.certificates(in: $0)) } ?? .system
    }
}
