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
    /// What a command does on a server.
    func remote(_ address: String, in context: CommandContext) throws -> RemoteAdministration {
        RemoteAdministration(try connection(to: address, in: context))
    }

    /// The server that a command acts on, the token and trust that it is spoken to with, and the proxy
    /// that leads there.
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

    /// A token is no argument: every user of a machine can read those of a process.
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

    /// An option counts before the variables, and a variable without a value is none.
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
