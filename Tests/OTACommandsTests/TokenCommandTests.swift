import Foundation
import TestSupport
import Testing

/// The subcommands of `ota tokens`.
@Suite(.timeLimit(.minutes(10)))
struct TokenCommandTests {
    @Test func `a secret is shown once and kept nowhere`() async throws {
        try await Workplace.run { place in
            let made = try await place.json(
                "tokens",
                "create",
                "--name",
                "ci",
                "--scope",
                "publish:com.example.app",
                "--scope",
                "read",
                "--expires",
                "90d",
            )
            let secret = try #require(made["secret"].string)
            #expect(secret.count == 77)
            let list = try await place.json("tokens", "list")
            let token = try #require(list["tokens"].items.first)
            #expect(token["name"].string == "ci")
            #expect(token["scopes"].items.map(\.string) == ["publish:com.example.app", "read"])
            let file = place.folder.appending(path: "ota-store/tokens.json")
            let stored = try String(contentsOf: file, encoding: .utf8)
            #expect(!stored.contains(secret.suffix(64)))
            let mode = try FileManager.default.attributesOfItem(
                atPath: file.path(percentEncoded: false)
            )[.posixPermissions]
            #expect(mode as? Int == 0o600)
            #expect(try await place.ota("store", "verify").status == 0)
        }
    }

    @Test func `a revoked token leaves the list and stays with --all`() async throws {
        try await Workplace.run { place in
            _ = try await place.json("tokens", "create", "--name", "ana", "--scope", "admin")
            let revoked = try await place.json("tokens", "revoke", "ana")
            #expect(revoked["token"]["revoked"].string != nil)
            #expect(try await place.json("tokens", "list")["tokens"].items.isEmpty)
            #expect(try await place.json("tokens", "list", "--all")["tokens"].items.count == 1)
            let again = try await place.refusal("tokens", "revoke", "ana")
            #expect(again["id"].string == "token.unknown")

            _ = try await place.json("tokens", "create", "--name", "ben", "--scope", "read")
            let lines = try await place.ota("tokens", "list", "--all").output
                .split(separator: "\n")
            #expect(lines.first { $0.hasPrefix("ana") }?.contains("revoked") == true)
            #expect(lines.first { $0.hasPrefix("ben") }?.contains("revoked") == false)
        }
    }

    @Test(arguments: [
        ("everything", "token.bad-scope"), ("admin:com.example.app", "token.bad-scope"),
        ("publish:nothing-here", "token.no-app"), ("publish:", "token.bad-scope"),
    ])
    func `a scope that means nothing is refused`(_ scope: String, id: String) async throws {
        try await Workplace.run { place in
            let refusal = try await place.refusal(
                "tokens",
                "create",
                "--name",
                "ci",
                "--scope",
                scope,
            )
            #expect(refusal["id"].string == id)
        }
    }

    @Test func `the secret may go to a file of its owner's alone`() async throws {
        try await Workplace.run { place in
            let file = place.folder.appending(path: "ci.token")
            let path = file.path(percentEncoded: false)
            let made = try await place.json(
                "tokens",
                "create",
                "--name",
                "ci",
                "--scope",
                "publish",
                "--file",
                path,
            )
            #expect(made["secret"].string == nil)
            let secret = try String(contentsOf: file, encoding: .utf8)
            #expect(secret.hasPrefix("ota_") && secret.hasSuffix("\n"))
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            #expect(mode as? Int == 0o600)
            let refusal = try await place.refusal(
                "tokens",
                "create",
                "--name",
                "other",
                "--scope",
                "read",
                "--file",
                path,
            )
            #expect(refusal["id"].string == "token.file-exists")
            #expect(try String(contentsOf: file, encoding: .utf8) == secret)
            #expect(try await place.json("tokens", "list")["tokens"].items.count == 1)
        }
    }
}
