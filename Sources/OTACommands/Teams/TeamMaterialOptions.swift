import APIDocuments
import ArgumentParser
import Cryptography
import Problems

/// The files with which a team signs.
struct TeamMaterialOptions: ParsableArguments {
    @Option(
        help: """
            A certificate with its private key: .p12, as Keychain Access exports it, or PEM.
            """
    )
    var identity: String?

    @Option(
        help: ArgumentHelp(
            """
            A file with the passphrase of the identity, or - for standard input.
            """,
            valueName: "file",
        )
    )
    var passwordFile: String?

    @Option(
        help: """
            A .mobileprovision file; replaces the one of the same kind for the same bundle \
            identifier. May be repeated.
            """
    )
    var profile: [String] = []

    func validate() throws {
        guard passwordFile == nil || identity != nil else {
            throw ValidationError("--password-file needs --identity")
        }
    }

    var isEmpty: Bool { identity == nil && profile.isEmpty }

    /// The identity for the request; nil if none is given.
    func upload() throws -> IdentityUpload? {
        guard let identity else { return nil }
        let passphrase = try passwordFile.map {
            String(try TextInput.read($0, limit: 4096).prefix { !$0.isNewline })
        }
        return IdentityUpload(
            file: try TextInput.bytes(identity, limit: IdentityFile.sizeLimit),
            passphrase: passphrase,
        )
    }

    func profiles() throws -> [[UInt8]] {
        try profile.map { try TextInput.bytes($0, limit: 4 << 20) }
    }

    /// Runs `work`; if the identity or a profile is refused, the error names its file.
    func naming<Result>(_ work: () async throws -> Result) async throws -> Result {
        do {
            return try await GivenProfiles(profile).naming(work)
        } catch {
            let problem = Problem(error)
            let isOfIdentity = problem.id.hasPrefix("identity.") || problem.id == "key.malformed"
            guard let identity, isOfIdentity, problem.place.isEmpty else { throw error }
            throw Problem(
                id: problem.id,
                kind: problem.kind,
                message: problem.message,
                place: identity,
                fix: problem.fix,
                pageFix: problem.pageFix,
            )
        }
    }
}
