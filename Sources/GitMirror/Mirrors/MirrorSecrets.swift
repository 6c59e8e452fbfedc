import Foundation
package import Releases
package import Store

/// What a mirror's builds and fetches need and nobody may read: `keys/mirror-{name}.json`, 0600.
package struct MirrorSecrets: Codable, Sendable, Equatable {
    package var schema = 1
    /// Variables for the steps of trusted references.
    package var variables: [String: String] = [:]
    /// Lines of `git credential-store`.
    package var passwords: String?
    /// A private key for ssh.
    package var key: String?
    /// The keys of servers that ssh may trust, as in `known_hosts`.
    package var knownHosts: String?
    /// What webhooks are signed with.
    package var hook: String?

    /// What is shorter cannot be masked without masking everything.
    package static let leastCharacters = 4
    package static let variableLimit = 100
    package static let sizeLimit = 64 << 10

    package init() {}

    /// Whether a variable may have that name: none of those that ota sets itself.
    package static func isName(_ name: String) -> Bool {
        BuildEnvironment.isVariable(name) && !BuildEnvironment.isReserved(name)
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
    ) throws {
        let name = try DocumentName.secrets(mirror)
        _ = try self.change(name, else: MirrorSecrets(), change)
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
    func withCredential<Result>(
        in folder: String,
        _ body: (GitCredential?) async throws -> Result,
    ) async throws -> Result {
        guard passwords != nil || key != nil || knownHosts != nil else {
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
        credential.passwords = try keep(passwords, "passwords")
        credential.key = try keep(key, "key")
        credential.knownHosts = try keep(knownHosts, "known_hosts")
        return try await body(credential)
    }
}
