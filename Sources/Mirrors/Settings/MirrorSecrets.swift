import Bytes
import Essentials
import GitRepositories
package import Identifiers
package import Releases
package import Store

/// The secrets of a mirror's builds and fetches: `keys/mirror-{name}.json`, mode 0600.
///
/// No API answer contains them.
package struct MirrorSecrets: Codable, Sendable, Equatable {
    package var schema = 1
    /// Variables for the steps of trusted references.
    package var variables: [String: String] = [:]
    /// Lines in the format of `git credential-store`, or just a token.
    package var passwords: String?
    /// A private SSH key.
    package var key: String?
    /// The host keys that SSH may trust, in the format of `known_hosts`.
    package var knownHosts: String?
    /// The certificate authorities that HTTPS may trust instead of the system's, in PEM.
    package var authority: String?
    /// The secret with which webhooks are signed.
    package var hook: String?

    /// The least number of characters of a secret: masking a shorter one would mask too much else.
    package static let leastCharacters = 4
    package static let variableLimit = 100
    package static let sizeLimit = 64 << 10

    package init() {}

    /// Whether a secret's variable may have that name, which must not be one that the server sets.
    package static func isName(_ name: String) -> Bool {
        VariableName.isValid(name) && !VariableName.isReserved(name)
    }
}

extension OTAStore {
    package func secrets(of mirror: Slug) throws(StoreFailure) -> MirrorSecrets {
        try value(MirrorSecrets.self, .secrets(mirror)) ?? MirrorSecrets()
    }

    /// Changes a mirror's secrets, and deletes the previous generation of the document.
    ///
    /// - Throws: what `change` throws, and ``StoreFailure``.
    package func changeSecrets(
        of mirror: Slug,
        _ change: (inout MirrorSecrets) throws -> Void,
        recording: () throws -> [Activity] = { [] },
    ) throws {
        let name = try DocumentName.secrets(mirror)
        _ = try self.change(name, else: MirrorSecrets(), change, recording: recording)
        try backend.forgetPrevious(of: name)
    }
}

extension DocumentName {
    static func secrets(_ mirror: Slug) throws(StoreFailure) -> DocumentName {
        try DocumentName("keys", "mirror-\(mirror).json")
    }
}

extension MirrorSecrets {
    /// Writes the credential to files while `body` runs: `git` rewrites the one with passwords, and both
    /// `git` and `ssh` accept only paths.
    ///
    /// A bare token is sent to the server of `address` and to no other.
    func withCredential<Result>(
        in folder: String,
        for address: MirrorAddress,
        _ body: (GitCredential?) async throws -> Result,
    ) async throws -> Result {
        guard [passwords, key, knownHosts, authority].contains(where: { $0 != nil }) else {
            return try await body(nil)
        }
        let place = folder + "/credential-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: place) }
        var credential = GitCredential()
        func keep(_ text: String?, _ name: String) throws -> String? {
            guard let text else { return nil }
            let path = "\(place)/\(name)"
            try durableWrite(Array((text.hasSuffix("\n") ? text : text + "\n").utf8), to: path)
            return path
        }
        credential.passwords = try keep(passwordLines(for: address), "passwords")
        credential.key = try keep(key, "key")
        credential.knownHosts = try keep(knownHosts, "known_hosts")
        credential.authority = try keep(authority, "authority.pem")
        return try await body(credential)
    }

    /// Whether the password is a bare token, which names no server.
    package var hasTokenAlone: Bool { passwords.map { !$0.containsBytes(of: "://") } ?? false }

    private func passwordLines(for address: MirrorAddress) -> String? {
        guard let passwords, hasTokenAlone else { return passwords }
        let token = passwords.trimmingWhitespace()
        guard let server = address.server else { return nil }
        let encoded = token.utf8.map { "%" + Hex.encode([$0]) }.joined()
        // Every host accepts any user name with a token; this one is from GitLab's manual.
        return "https://oauth2:\(encoded)@\(server)"
    }
}
