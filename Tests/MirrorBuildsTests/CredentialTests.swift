import APIDocuments
import Administration
import Bytes
import Cryptography
import Foundation
import MirrorBuilds
import Mirrors
import Releases
import Sample
import Store
import TestSupport
import Testing
import Versions

/// What is shown of a mirror's secrets, and to whom its changes are attributed.
@Suite struct CredentialTests {
    private static let keygen = "/usr/bin/ssh-keygen"
    private static let hasKeygen = FileManager.default.isExecutableFile(atPath: keygen)

    /// A key as people create it, and the output of `ssh-keygen -l` for it.
    private static func key(
        _ words: String...,
        in folder: URL,
    ) async throws -> (pem: String, listing: String) {
        let path = folder.appending(path: UUID().uuidString).path()
        let made = try await Program(path: keygen).run(
            ["-q", "-C", "", "-f", path] + words,
            in: folder,
        )
        try #require(made.status == 0, "\(made.errors)")
        let listing = try await Program(path: keygen).run(["-l", "-f", path + ".pub"], in: folder)
        return (try String(contentsOfFile: path, encoding: .utf8), listing.output)
    }

    private static func credential(_ key: String) throws -> CredentialDocument {
        var secrets = MirrorSecrets()
        secrets.key = key
        let all = CredentialDocument.all(of: secrets)
        #expect(all.count == 1)
        return try #require(all.first)
    }

    @Test(.enabled(if: hasKeygen), arguments: ["ed25519", "ecdsa", "rsa"])
    func `a key is told by its type and fingerprint, as ssh-keygen tells it`(
        type: String
    ) async throws {
        try await withTemporaryFolder { folder in
            let plain = try await Self.key("-t", type, "-N", "", in: folder)
            let told = try Self.credential(plain.pem)
            let fingerprint = try #require(told.fingerprint)
            #expect(plain.listing.contains(" \(fingerprint) "), "\(plain.listing)")
            #expect(told.name?.contains(type) == true && told.isEncrypted == false)
            #expect(told.words == "an SSH key (\(told.name ?? ""), \(fingerprint))")

            let locked = try await Self.key("-t", type, "-N", "pass phrase", in: folder)
            let other = try Self.credential(locked.pem)
            #expect(locked.listing.contains(" \(try #require(other.fingerprint)) "))
            #expect(other.isEncrypted == true)
            #expect(other.words.hasSuffix("unusable, because it has a passphrase)"))
        }
    }

    @Test(.enabled(if: hasKeygen))
    func `a key of an older form is told by what its label says`() async throws {
        try await withTemporaryFolder { folder in
            let key = try await Self.key("-t", "rsa", "-m", "PEM", "-N", "", in: folder)
            #expect(try Self.credential(key.pem).words == "an SSH key (RSA)")
            let locked = try await Self.key("-t", "rsa", "-m", "PEM", "-N", "phrase", in: folder)
            #expect(try Self.credential(locked.pem).isEncrypted == true)
        }
    }

    @Test(.enabled(if: hasKeygen))
    func `a key that is cut short or damaged is there, and nothing more`() async throws {
        try await withTemporaryFolder { folder in
            let key = try await Self.key("-t", "ed25519", "-N", "", in: folder)
            let block = try #require(PEM.blocks(in: key.pem)?.first)
            let whole = try Self.credential(key.pem)
            for count in block.bytes.indices {
                let cut = PEM.text(block.label, Array(block.bytes.prefix(count)))
                let told = try Self.credential(cut)
                #expect(told.fingerprint == nil || told == whole, "\(count)")
            }
            for index in block.bytes.indices {
                var damaged = block.bytes
                damaged[index] ^= 0xFF
                #expect(try Self.credential(PEM.text(block.label, damaged)).kind == .sshKey)
            }
            #expect(try Self.credential("no key").words == "an SSH key")
        }
    }

    @Test func `a document says what is set and holds no secret`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await MirrorRoom(in: folder)
            let mirror = try room.add()
            var secrets = MirrorSecrets()
            secrets.passwords = "glpat-very-secret\n"
            secrets.knownHosts = "git.example.com ssh-ed25519 AAAA\n"
            secrets.authority = room.authority.anchorPEM
            secrets.hook = "hook-secret-of-some-length"
            secrets.variables = ["API_TOKEN": "correct-horse"]
            let document = MirrorDocument(mirror, MirrorState(), secrets, runs: [])
            let authority = room.authority.anchor
            #expect(
                document.credentials?.map(\.words) == [
                    "a token", "its own known hosts",
                    "its own authority (\(authority), SHA-256 \(authority.sha256))",
                ]
            )
            let json = String(decoding: try JSONEncoder().encode(document), as: UTF8.self)
            for secret in ["glpat", "AAAA", "hook-secret", "correct-horse", "BEGIN"] {
                #expect(!json.contains(secret), "\(secret)")
            }
            secrets.passwords = "https://ci:glpat-very-secret@git.example.com\n"
            secrets.authority = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
            #expect(
                CredentialDocument.all(of: secrets).map(\.words) == [
                    "git credential-store passwords", "its own known hosts",
                    "its own authority",
                ]
            )
            #expect(
                MirrorDocument(mirror, MirrorState(), MirrorSecrets(), runs: []).credentials == nil
            )
        }
    }
}
