import Bytes
import Essentials
import GitRepositories
package import Identifiers
package import Releases
package import Store

/// The secrets of a mirror's builds and fetches, which no answer contains:
/// `keys/mirror-{name}.json`, 0600.
package struct MirrorSecrets: Codable, Sendable, Equatable {
    package var schema = 1
    /// Variables for the steps of trusted references.
    package var variables: [String: String] = [:]
    /// Lines of `git credential-store`, or a token alone.
    package var passwords: String?
    /// A private key for ssh.
    package var key: String?
    /// The keys of servers that ssh may trust, as in `known_hosts`.
    package var knownHosts: String?
    /// Authorities that https may trust instead of the system's, PEM.
    package var authority: String?
    /// What webhooks are signed with.
    package var hook: String?

    /// What is shorter cannot be masked without masking everything.
    package static let leastCharacters = 4
    package static let variableLimit = 100
    package static let sizeLimit = 64 << 10

    package init() {}

    /// Whether a variable may have that name: none of those that ota sets itself.
    package static func isName(_ name: String) -> Bool {
        VariableName.isValid(name) && !VariableName.isReserved(name)
    }
}

extension OTAStore {
    package func secrets(of mirror: Slug) throws(StoreFailure) -> MirrorSecrets {
        try value(MirrorSecrets.self, .secrets(mirror)) ?? MirrorSecrets()
    }

    /// Changes a mirror's secrets; the generation before is forgotten.
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
    /// Puts the credential into files for as long as `body` runs: `git` changes the one with passwords,
    /// and both programs take paths only.
    ///
    /// A token alone goes to the server of `address` and to no other.
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

    /// Whether there is a token that names no server of its own.
    package var hasTokenAlone: Bool { passwords.map { !$0.containsBytes(of: "://") } ?? false }

    private func passwordLines(for address: MirrorAddress) -> String? {
        guard let passwords, hasTokenAlone else { return passwords }
        let token = passwords.trimmingWhitespace()
        guard let server = address.server else { return nil }
        let encoded = token.utf8.map { "%" + Hex.encode([$0]) }.joined()
        // Every host takes any name beside a token; this one is what GitLab's manual gives.
        return "https://oauth2:\(encoded)@\(server)"
    }
}
