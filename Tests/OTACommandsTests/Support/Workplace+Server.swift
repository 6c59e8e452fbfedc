import Foundation
import TestSupport
import Testing

/// A server of a workplace to which commands connect.
struct RemoteServer {
    let url: String
    /// The options with its URL, its authority and an admin's token.
    var options: [String] { ["--server", url, "--token-file", "admin", "--ca-file", "ca.pem"] }
}

extension Workplace {
    static let ana = "00008120-0000000000000042"

    /// Runs a server while `body` runs, with an admin's token in `admin` and its certificates in `ca.pem` and
    /// `leaf.pem`; `options` are further options of `ota serve`.
    func serving(
        with options: [String] = [],
        _ body: (RemoteServer) async throws -> Void,
    ) async throws {
        _ = try await json(
            "tokens",
            "create",
            "--name",
            "remote",
            "--scope",
            "admin",
            "--file",
            "admin",
        )
        let base = try await freeAddress()
        let server = try start(
            ["serve", "--port", base.port, "--plain-port", "0", "--base-url", base.url] + options
        )
        defer { server.send(SIGKILL) }
        #expect(await server.line() == "listening on \(base.url)")
        let authority = try await curl(base.url + "/trust/authority.pem")
        try #require(authority.status == 200)
        try write(authority.text, to: "ca.pem")
        let shown = try await run(
            "/bin/sh",
            "-c",
            "openssl s_client -connect 127.0.0.1:\(base.port) </dev/null 2>/dev/null",
        )
        try write(shown, to: "leaf.pem")
        try await body(RemoteServer(url: base.url))
        server.send(SIGTERM)
        #expect(try await server.status() == 0)
    }

    /// Publishes a build, adds a device and creates an invitation.
    func fill() async throws {
        try build()
        _ = try await json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
        _ = try await json("devices", "add", Self.ana, "--name", "Ana")
        let invited = try await json("devices", "invite", "--name", "Max")
        let identifier = try #require(invited["invitation"]["identifier"].string)
        _ = try await json("devices", "invitations", "revoke", identifier)
    }

    func run(_ path: String, _ arguments: String...) async throws -> String {
        let outcome = try await Program(path: path).run(arguments, in: folder)
        try #require(outcome.status == 0, "\(path): \(outcome.errors)")
        return outcome.output
    }
}
