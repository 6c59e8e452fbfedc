import APIDocuments
import Access
import Administration
import Cryptography
import Foundation
import OTAClient
import Problems
import Releases
import Testing

struct ServerConnectionTests {
    @Test func `an answer is read, and the token stands in its field`() async throws {
        let text = Self.response("200 OK", #"{"schema": 1, "apps": []}"#)
        try await ScriptedServer.run(saying: text) { server in
            let administration = RemoteAdministration(try server.connection())
            #expect(try await administration.perform(ListApps()).apps.isEmpty)
            let target = "/api/v1/apps?limit=500&archived=false"
            #expect(server.heardText.hasPrefix("GET \(target) HTTP/1.1\r\n"))
            #expect(
                server.heardText.contains("authorization: Bearer \(ScriptedServer.secret.text)\r\n")
            )
        }
    }

    @Test(arguments: [
        (response("200 OK", "<html>"), "server.not-understood"),
        (response("200 OK", #"{"schema": 1}"#), "server.not-understood"),
        (response("200 OK", #"{"schema": 2, "apps": []}"#), "server.newer-schema"),
        (response("502 Bad Gateway", "proxy"), "server.not-understood"),
        (
            response("302 Found", "", "Location: https://127.0.0.1:1/\r\n"),
            "server.not-understood",
        ),
        (
            response(
                "404 Not Found",
                #"{"error": {"id": "app.unknown", "message": "no", "place": "", "fix": "look"}}"#,
            ), "app.unknown",
        ),
        ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", "server.cut"),
        ("HTTP/1.1 200 OK\r\n", "server.cut"),
        ("SSH-2.0-OpenSSH\r\n\r\n", "server.cut"),
        ("", "server.cut"),
    ])
    func `what is no answer is said to be none`(text: String, id: String) async throws {
        try await ScriptedServer.run(saying: text) { server in
            let administration = RemoteAdministration(try server.connection())
            let failure = await #expect(throws: ServerFailure.self) {
                try await administration.perform(ListApps())
            }
            #expect(failure?.problem.id == id, "\(failure?.problem.message ?? "")")
            #expect(failure?.problem.fix.isEmpty == false)
        }
    }

    @Test func `only the right certificate is told the token`() async throws {
        let text = Self.response("200 OK", #"{"schema": 1, "apps": []}"#)
        try await ScriptedServer.run(saying: text) { server in
            try await ScriptedServer.run(saying: text) { other in
                let strangers: [ServerTrust] = [
                    .system, .authorities([other.authority]),
                    .fingerprint(other.certificate.sha256), .fingerprint(other.authority.sha256),
                ]
                for trust in strangers {
                    let administration = RemoteAdministration(
                        try server.connection(trusting: trust)
                    )
                    let failure = await #expect(throws: ServerFailure.self) {
                        try await administration.perform(ListApps())
                    }
                    #expect(failure?.problem.id == "server.untrusted")
                }
            }
            #expect(server.heardText.isEmpty)
            for trust in [
                ServerTrust.fingerprint(server.certificate.sha256),
                .fingerprint(server.authority.sha256),
            ] {
                let administration = RemoteAdministration(try server.connection(trusting: trust))
                #expect(try await administration.perform(ListApps()).apps.isEmpty)
            }
        }
    }

    @Test func `a certificate for another name counts only when it is named itself`() async throws {
        let text = Self.response("200 OK", #"{"schema": 1, "apps": []}"#)
        try await ScriptedServer.run(saying: text, as: "other.example.com") { server in
            for trust in [
                ServerTrust.authorities([server.authority]),
                .fingerprint(server.authority.sha256),
            ] {
                let administration = RemoteAdministration(try server.connection(trusting: trust))
                let failure = await #expect(throws: ServerFailure.self) {
                    try await administration.perform(ListApps())
                }
                #expect(failure?.problem.id == "server.untrusted")
            }
            #expect(server.heardText.isEmpty)
            let pinned = try server.connection(trusting: .fingerprint(server.certificate.sha256))
            #expect(try await RemoteAdministration(pinned).perform(ListApps()).apps.isEmpty)
        }
    }

    @Test func `the names that a certificate has are told, a few of them and none that steers`()
        async throws
    {
        let text = Self.response("200 OK", #"{"schema": 1, "apps": []}"#)
        let long = String(repeating: "n", count: 60) + "."
        for (names, told) in [
            (["a.example", "10.0.0.1"], "a.example, 10.0.0.1, not for 127.0.0.1"),
            (
                (1...300).map { "n\($0).example" },
                "n1.example, n2.example, n3.example, n4.example and 296 more, not for 127.0.0.1",
            ),
            (["*.example"], "*.example, not for 127.0.0.1"),
            (
                [long + long + "example"],
                long + String(repeating: "n", count: 18) + "…, not for 127.0.0.1",
            ),
            (["a\u{1B}[31m"], #"a\u{1B}[31m, not for 127.0.0.1"#),
        ] {
            try await ScriptedServer.run(saying: [text], as: names) { server in
                for trust in server.trustInAuthority {
                    let connection = try server.connection(trusting: trust)
                    let failure = await #expect(throws: ServerFailure.self) {
                        try await RemoteAdministration(connection).perform(ListApps())
                    }
                    let message = failure?.problem.message ?? ""
                    #expect(message.hasSuffix("its certificate is for \(told)"), "\(message)")
                }
                #expect(server.heardText.isEmpty)
            }
        }
    }

    private static func response(_ status: String, _ body: String, _ fields: String = "") -> String
    {
        "HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
}
