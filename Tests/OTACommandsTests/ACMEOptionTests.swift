import Foundation
import TestSupport
import Testing

/// `ota serve --acme` as a process, with a real ACME server.
@Suite(.timeLimit(.minutes(10)))
struct ACMEOptionTests {
    // Options: serve: acme acme-directory acme-ca-file
    @Test(.enabled(if: Pebble.isHere, "pebble is missing: scripts/packages test installs it"))
    func `a server that is killed while it orders has its certificate after the next start`()
        async throws
    {
        try await Workplace.run { place in
            let ports = try Pebble.Ports()
            // Each validation takes a second, during which the first server is killed.
            let moods = ["PEBBLE_VA_NOSLEEP": "", "PEBBLE_VA_SLEEPTIME": "1"]
            try await Pebble.run(in: place.folder, proving: ports, settings: moods) { pebble in
                try place.write(pebble.anchors, to: "authorities.pem")
                let arguments = [
                    "serve", "--port", "\(ports.tls)", "--plain-port", "\(ports.http)",
                    "--base-url", "https://ota.example.test", "--allow-host", "builds.example.test",
                    "--acme", "ops@example.com", "--acme-directory", pebble.directory,
                    "--acme-ca-file", "authorities.pem",
                ]
                let first = try place.start(arguments)
                _ = try #require(await first.line())
                let order = place.path("ota-store/keys/acme.json")
                for _ in 0..<200 where !FileManager.default.fileExists(atPath: order) {
                    try await Task.sleep(for: .milliseconds(20))
                }
                first.send(SIGKILL)
                _ = try await first.status()
                let second = try place.start(arguments)
                defer { second.send(SIGKILL) }
                _ = try #require(await second.line())
                var status = ""
                for _ in 0..<150 where status != "200" {
                    try await Task.sleep(for: .milliseconds(200))
                    status = try await place.run(
                        "/bin/sh",
                        "-c",
                        """
                        curl -s -o health -w '%{http_code}' --cacert authorities.pem \\
                          --resolve builds.example.test:\(ports.tls):127.0.0.1 \\
                          https://builds.example.test:\(ports.tls)/healthz || true
                        """,
                    )
                }
                #expect(status.hasPrefix("200"))
                let record = try String(contentsOfFile: order, encoding: .utf8)
                #expect(record.contains("mailto:ops@example.com"))
                second.send(SIGTERM)
                #expect(try await second.status() == 0)
            }
        }
    }

    @Test(
        .enabled(if: Pebble.isHere, "pebble is missing: scripts/packages test installs it"),
        arguments: [
            (true, "Port 80 of ota.example.test cannot be reached from the internet"),
            (false, "127.0.0.1 cannot be trusted"),
        ],
    )
    func `ota doctor says why the server has no certificate`(
        isTrusted: Bool,
        reason: String,
    ) async throws {
        try await Workplace.run { place in
            let ports = try Pebble.Ports()
            // Pebble validates on ports on which nothing listens.
            try await Pebble.run(in: place.folder, proving: try Pebble.Ports()) { pebble in
                try place.write(pebble.anchors, to: "authorities.pem")
                let anchor = isTrusted ? ["--acme-ca-file", "authorities.pem"] : []
                let server = try place.start(
                    [
                        "serve", "--port", "\(ports.tls)", "--plain-port", "\(ports.http)",
                        "--base-url", "https://ota.example.test", "--allow-host", "127.0.0.1",
                        "--acme", "ops@example.com", "--acme-directory", pebble.directory,
                    ] + anchor
                )
                defer { server.send(SIGKILL) }
                _ = try #require(await server.line())
                var said = ""
                for _ in 0..<150 where !said.contains(reason) {
                    try await Task.sleep(for: .milliseconds(200))
                    said = try await place.ota("doctor", "https://127.0.0.1:\(ports.tls)/").output
                }
                #expect(said.contains(reason))
                #expect(
                    said.contains(
                        "the server says: The server cannot get a certificate for ota.example.test"
                    )
                )
            }
        }
    }

    @Test(arguments: [
        (["--acme", "ops@example.com", "--certificate", "a", "--private-key", "b"], "not both"),
        (["--acme", "ops"], "e-mail address"),
        (["--acme", "Ops <ops@example.com>"], "e-mail address"),
        (["--acme-directory", "https://a.example/dir"], "need --acme"),
        (["--acme-ca-file", "a.pem"], "need --acme"),
        (["--acme", "ops@example.com", "--allow-host", "*.example.org"], "*.example.org"),
    ])
    func `options that contradict each other are refused`(
        options: [String],
        said: String,
    ) async throws {
        try await Workplace.run { place in
            let refused = try await place.ota(["serve"] + options)
            #expect(refused.status == 64)
            #expect(refused.errors.contains(said))
        }
    }

    @Test func `a host that no authority certifies, and a bad directory, end the start`()
        async throws
    {
        try await Workplace.run { place in
            let address = try await place.ota(
                ["serve", "--acme", "ops@example.com", "--base-url", "https://192.168.1.5"]
            )
            #expect(address.status == 1)
            #expect(address.errors.contains("192.168.1.5 cannot get a certificate"))
            let directory = try await place.ota(
                ["serve", "--acme", "ops@example.com", "--acme-directory", "http://a.example/dir"]
            )
            #expect(directory.status == 1)
            #expect(directory.errors.contains("is not the https address of an ACME directory"))
        }
    }
}
