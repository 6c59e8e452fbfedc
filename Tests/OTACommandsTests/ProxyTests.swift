import Foundation
import TestSupport
import Testing

/// `ota … --server` on a machine that reaches the network only through a proxy.
@Suite(.timeLimit(.minutes(10)), .enabled(if: ForwardProxy.isHere, "tinyproxy is not here"))
struct ProxyTests {
    private static let password = "hunter2secret"

    @Test func `a build is published through a proxy, and so is everything else done`()
        async throws
    {
        try await Workplace.run { place in
            try await place.serving(with: ["--trusted-ca", "anchor.pem"]) { server in
                try place.build()
                let address = String(server.url.dropFirst("https://".count))
                try await ForwardProxy.run(in: place.folder) { proxy in
                    let environment = ["HTTPS_PROXY": "http://\(proxy.address)"]
                    let published = try await place.ota(
                        ["publish", "build.ipa", "--trusted-ca", "anchor.pem", "--json"]
                            + server.options,
                        environment: environment,
                    )
                    #expect(published.status == 0, "\(published.errors)")
                    #expect(try JSON(published.output)["created"] == .boolean(true))
                    let requests = try proxy.requests()
                    #expect(requests.count >= 3 && Set(requests) == [address], "\(requests)")

                    let fingerprint = try await place.fingerprint()
                    let listed = try await place.ota(
                        ["releases", "list", "--server", server.url, "--token-file", "admin"]
                            + ["--fingerprint", fingerprint],
                        environment: environment,
                    )
                    #expect(listed.status == 0 && listed.output.contains("1.4.0"), "\(listed)")
                    // The certificate is checked first.
                    let more = try proxy.requests().dropFirst(requests.count)
                    #expect(more.count >= 2 && Set(more) == [address], "\(more)")
                }
            }
        }
    }

    @Test func `a proxy gets its password, and says what it thinks of a wrong one`() async throws {
        try await Workplace.run { place in
            try await place.serving { server in
                let account = "ci \(Self.password)"
                try await ForwardProxy.run(in: place.folder, for: account) { proxy in
                    for (user, id) in [
                        ("ci:\(Self.password)@", nil), ("ci:%68unter2secret@", nil),
                        ("ci:x\(Self.password)@", "proxy.not-authorized"),
                        ("", "proxy.not-authorized"),
                    ] {
                        let outcome = try await place.ota(
                            ["releases", "list", "--json"] + server.options,
                            environment: ["https_proxy": "http://\(user)\(proxy.address)"],
                        )
                        #expect(outcome.status == (id == nil ? 0 : 1), "\(outcome)")
                        #expect(!"\(outcome)".contains(Self.password))
                        guard let id else { continue }
                        let error = try JSON(outcome.errors)["error"]
                        #expect(error["id"].string == id)
                        #expect(error["place"].string == "http://\(proxy.address)")
                        #expect(error["fix"].string?.contains("https_proxy") == true)
                    }
                }
            }
        }
    }

    @Test func `a proxy that lets nobody through ends a publish at once`() async throws {
        try await Workplace.run { place in
            try await place.serving { server in
                try place.build()
                try await ForwardProxy.run(in: place.folder, to: 1) { proxy in
                    let outcome = try await place.ota(
                        ["publish", "build.ipa", "--trusted-ca", "anchor.pem", "--json"]
                            + server.options,
                        environment: ["ALL_PROXY": "http://ci:\(Self.password)@\(proxy.address)"],
                    )
                    #expect(outcome.status == 1)
                    let error = try JSON(outcome.errors)["error"]
                    #expect(error["id"].string == "proxy.refused", "\(outcome)")
                    #expect(error["place"].string == "http://\(proxy.address)")
                    #expect(error["message"].string?.contains("(status 403)") == true)
                    #expect(!"\(outcome)".contains(Self.password))
                    #expect(try proxy.requests().count == 1)
                }
            }
        }
    }

    @Test func `what NO_PROXY lists is reached without, and what it does not is not`() async throws
    {
        try await Workplace.run { place in
            try await place.serving { server in
                // Nothing listens on this port.
                let dead = "http://ci:\(Self.password)@127.0.0.1:1"
                for (list, id) in [
                    ("127.0.0.0/8", nil), ("example.com, 127.0.0.1", nil), ("*", nil),
                    ("", "proxy.unreachable"), ("10.0.0.0/8,localhost", "proxy.unreachable"),
                ] {
                    let outcome = try await place.ota(
                        ["releases", "list", "--json"] + server.options,
                        environment: ["HTTPS_PROXY": dead, "NO_PROXY": list],
                    )
                    #expect(outcome.status == (id == nil ? 0 : 1), "\(list): \(outcome)")
                    #expect(!"\(outcome)".contains(Self.password))
                    guard let id else { continue }
                    #expect(try JSON(outcome.errors)["error"]["id"].string == id)
                }
                for (address, id) in [
                    ("socks5://127.0.0.1:1080", "proxy.unsupported"),
                    ("http://ci:\(Self.password)@127.0.0.1:port", "proxy.malformed"),
                ] {
                    let outcome = try await place.ota(
                        ["releases", "list", "--json"] + server.options,
                        environment: ["HTTPS_PROXY": address],
                    )
                    let error = try JSON(outcome.errors)["error"]
                    #expect(outcome.status == 1 && error["id"].string == id)
                    #expect(error["place"].string == "HTTPS_PROXY")
                    #expect(!"\(outcome)".contains(Self.password))
                }
                // A store on this machine needs no proxy.
                let local = try await place.ota(
                    ["releases", "list"],
                    environment: ["HTTPS_PROXY": "socks5://127.0.0.1:1080"],
                )
                #expect(local.status == 0, "\(local.errors)")
            }
        }
    }
}

extension Workplace {
    /// The SHA-256 fingerprint of the server's certificate, which is in `leaf.pem`.
    fileprivate func fingerprint() async throws -> String {
        let text = try await run(
            "/usr/bin/openssl",
            "x509",
            "-in",
            "leaf.pem",
            "-noout",
            "-fingerprint",
            "-sha256",
        )
        return String(text.split(separator: "=").last ?? "").trimmingCharacters(in: .newlines)
    }
}
