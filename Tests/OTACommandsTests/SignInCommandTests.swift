import Foundation
import TestSupport
import Testing

/// The subcommands of `ota sign-in`.
@Suite(.timeLimit(.minutes(10)))
struct SignInCommandTests {
    // Options: sign-in set: issuer client-id name admins person role-claim role scope client-secret-file public-client
    @Test func `a provider is set from a file with its secret, shown without it, and removed`()
        async throws
    {
        try await Workplace.run { place in
            let secret = place.folder.appending(path: "secret")
            try Data("hush-hush\n".utf8).write(to: secret)
            let set = [
                "sign-in", "set", "--issuer", "https://id.example.com", "--client-id", "ota",
                "--name", "Example ID", "--admins", "Ana@Example.com", "--person",
                "viewer=sub:7", "--role-claim", "groups", "--role", "publisher=release-team",
                "--scope", "groups",
            ]
            let bare = try await place.ota(set + ["--json"])
            #expect(bare.status == 1)
            #expect(try JSON(bare.errors)["error"]["id"].string == "sign-in.no-secret")
            let made = try await place.json(set + ["--client-secret-file", secret.path()])
            #expect(made["signIn"]["hasSecret"].boolean == true)
            let roles = made["signIn"]["roles"].items
            #expect(roles.map { $0["role"].string } == ["admin", "viewer", "publisher"])
            #expect(roles.map { $0["person"].string } == ["ana@example.com", "sub:7", nil])
            #expect(roles.map { $0["claim"].string } == [nil, nil, "release-team"])
            #expect(made["signIn"]["issuer"].string == "https://id.example.com")
            #expect(made["signIn"]["clientId"].string == "ota")
            #expect(made["signIn"]["roleClaim"].string == "groups")
            #expect(made["signIn"]["scopes"].items.map(\.string) == ["groups"])
            let shown = try await place.ota("sign-in", "show")
            #expect(shown.output.contains("Example ID") && !shown.output.contains("hush"))
            let file = place.folder.appending(path: "ota-store/sign-in.json")
            let mode = try FileManager.default.attributesOfItem(
                atPath: file.path(percentEncoded: false)
            )[.posixPermissions]
            #expect(mode as? Int == 0o600)
            #expect(try String(contentsOf: file, encoding: .utf8).contains("hush-hush"))
            #expect(try await place.json(set)["signIn"]["hasSecret"].boolean == true)
            let open = try await place.json(set + ["--public-client"])
            #expect(open["signIn"]["hasSecret"].boolean == false)
            #expect(!(try String(contentsOf: file, encoding: .utf8)).contains("hush"))
            #expect(try await place.json("sign-in", "sessions")["sessions"].items.isEmpty)
            let unknown = try await place.refusal("sign-in", "end", "4f1d0c9a83b2")
            #expect(unknown["id"].string == "sign-in.unknown-session")
            #expect(try await place.ota("store", "verify").status == 0)
            #expect(try await place.ota("sign-in", "remove").status == 0)
            let none = try await place.refusal("sign-in", "show")
            #expect(none["id"].string == "sign-in.not-set-up")
        }
    }

    // Options: sign-in set: testers tester-person tester-group
    // Options: sign-in sessions: admins
    @Test func `testers are set by list and by claim, in groups that exist`() async throws {
        try await Workplace.run { place in
            let set = [
                "sign-in", "set", "--issuer", "https://id.example.com", "--client-id", "ota",
                "--role-claim", "groups", "--testers", "@Example.com", "--testers", "everyone",
                "--tester-person", "beta=Bea@example.com", "--tester-group", "qa=cn=qa,ou=it",
                "--public-client",
            ]
            func problem(_ arguments: [String]) async throws -> String? {
                let outcome = try await place.ota(arguments + ["--json"])
                #expect(outcome.status == 1)
                return try JSON(outcome.errors)["error"]["id"].string
            }
            #expect(try await problem(set) == "group.unknown")
            for group in ["beta", "qa"] {
                #expect(try await place.ota("groups", "create", group).status == 0)
            }
            let made = try await place.json(set)
            let testers = made["signIn"]["testers"].items
            #expect(testers.map { $0["group"].string } == [nil, nil, "beta", "qa"])
            #expect(
                testers.map { $0["person"].string }
                    == ["@example.com", "everyone", "bea@example.com", nil]
            )
            #expect(testers.last?["claim"].string == "cn=qa,ou=it")
            #expect(made["signIn"]["roles"].items.isEmpty)
            let shown = try await place.ota("sign-in", "show")
            #expect(shown.output.contains("tester in qa: groups cn=qa,ou=it"))
            #expect(
                try await place.refusal("groups", "delete", "qa")["id"].string == "group.in-use"
            )
            for wrong in [["--testers", "all"], ["--tester-person", "qa=bea"]] {
                #expect(try await problem(set + wrong) == "sign-in.bad-tester", "\(wrong)")
            }
            for wrong in [["--tester-group", "qa"], ["--tester-person", "Q A=a@b.example"]] {
                #expect(try await place.ota(set + wrong).status == 64, "\(wrong)")
            }
            let sessions = try await place.json("sign-in", "sessions", "--admins")
            #expect(sessions["sessions"].items.isEmpty)
        }
    }

    // Options: sign-in link: base-url
    @Test func `what no role can be is wrong usage, and a link needs to know the server`()
        async throws
    {
        try await Workplace.run { place in
            for role in ["owner=a@b.example", "admin", "admin=", "=x"] {
                let set = [
                    "sign-in", "set", "--issuer", "https://id.example.com", "--client-id", "ota",
                    "--person", role,
                ]
                #expect(try await place.ota(set).status == 64, "\(role)")
            }
            #expect(
                try await place.ota("tokens", "create", "--name", "a", "--scope", "read").status
                    == 0
            )
            let lost = try await place.refusal("sign-in", "link")
            #expect(lost["id"].string == "sign-in.no-base-url")
            let link = try await place.json(
                "sign-in",
                "link",
                "--name",
                "ana",
                "--base-url",
                "https://ota.example.com",
            )
            let url = try #require(link["url"].string)
            #expect(url.hasPrefix("https://ota.example.com/sign-in/link/link~ana~"))
        }
    }
}
