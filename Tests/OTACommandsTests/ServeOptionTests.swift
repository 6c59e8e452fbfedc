import Foundation
import Sample
import TestSupport
import Testing

/// The effects of the options of `ota serve` and `ota doctor`, as a client sees them.
@Suite(.timeLimit(.minutes(10)))
struct ServeOptionTests {
    private static func published(in place: Workplace) async throws {
        try place.build()
        _ = try await place.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
    }

    private static func status(
        _ url: String,
        host: String,
        in place: Workplace,
    ) async throws -> String {
        try await place.run(
            "/usr/bin/curl",
            "-sk",
            "-o",
            "/dev/null",
            "-w",
            "%{http_code}",
            "-H",
            "Host: \(host)",
            url,
        )
    }

    @Test func `--allow-host, --host and --assets change who is answered, where, and with what`()
        async throws
    {
        try await Workplace.run { place in
            try FileManager.default.createDirectory(
                atPath: place.path("own/public"),
                withIntermediateDirectories: true,
            )
            try place.write("body { color: teal }", to: "own/public/ota.css")
            let options = [
                "--allow-host", "ota.example.test", "--host", "127.0.0.1", "--assets", "own",
            ]
            try await place.serving(with: options) { server in
                let page = server.url + "/"
                #expect(try await Self.status(page, host: "ota.example.test", in: place) != "421")
                #expect(
                    try await Self.status(page, host: "other.example.test", in: place) == "421"
                )
                #expect(try await place.curl(server.url + "/public/ota.css").text.contains("teal"))
                let port = server.url.split(separator: ":").last ?? ""
                let elsewhere = try await Program(path: "/usr/bin/curl")
                    .run(["-sk", "https://127.0.0.2:\(port)/"], in: place.folder)
                #expect(elsewhere.status == 7, "nobody listens there: \(elsewhere)")
            }
        }
    }

    @Test func `--trusted-proxy says whose word counts for who asks`() async throws {
        try await Workplace.run { place in
            for (options, isEachItsOwn) in [
                ([], false), (["--trusted-proxy", "127.0.0.1"], true),
            ] {
                try await place.serving(with: options) { server in
                    // After a few wrong tokens a client has to wait, so each request has an address of its
                    // own.
                    let script = """
                        for i in $(seq 1 12); do curl -sk -o /dev/null -w '%{http_code} ' \\
                        -H "X-Forwarded-For: 198.51.100.$i" -H "Authorization: Bearer ota_wrong$i" \\
                        \(server.url)/api/v1/apps; done
                        """
                    let answers = try await place.run("/bin/sh", "-c", script)
                    #expect(answers.contains("401"), "\(answers)")
                    #expect(answers.contains("429") == !isEachItsOwn, "\(options): \(answers)")
                }
                _ = try await place.json("tokens", "revoke", "remote")
                try FileManager.default.removeItem(atPath: place.path("admin"))
            }
        }
    }

    @Test func `--certificate and --private-key are what the server shows`() async throws {
        try await Workplace.run { place in
            _ = try await place.run(
                "/usr/bin/openssl",
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "30",
                "-subj",
                "/CN=own",
                "-addext",
                "subjectAltName=IP:127.0.0.1",
                "-keyout",
                place.path("own.key"),
                "-out",
                place.path("own.pem"),
            )
            let base = try await place.freeAddress()
            let server = try place.start(
                "serve",
                "--port",
                base.port,
                "--no-plain",
                "--base-url",
                base.url,
                "--certificate",
                "own.pem",
                "--private-key",
                "own.key",
            )
            defer { server.send(SIGKILL) }
            let line = await server.line()
            try #require(line == "listening on \(base.url)")
            let shown = try await place.run(
                "/bin/sh",
                "-c",
                "openssl s_client -connect 127.0.0.1:\(base.port) </dev/null 2>/dev/null | "
                    + "openssl x509",
            )
            let own = try await place.run("/usr/bin/openssl", "x509", "-in", place.path("own.pem"))
            #expect(shown == own)
        }
    }

    @Test func `--max-upload-mb and --reserve-mb refuse an upload before its bytes`() async throws {
        try await Workplace.run { place in
            try place.write(place.authority.privatePEM, to: "keys.pem")
            _ = try await place.json(
                "sample",
                "--app",
                "browsey",
                "--megabytes",
                "2",
                "--authority",
                "keys.pem",
                "--output",
                "large.ipa",
            )
            let anchor = ["--trusted-ca", "anchor.pem"]
            for (options, words) in [
                (["--max-upload-mb", "1"], "accepts at most 1"),
                (["--reserve-mb", "1000000000"], "free"),
            ] {
                try await place.serving(with: options + anchor) { server in
                    let refused = try await place.ota(
                        ["publish", "large.ipa", "--json"] + anchor + server.options
                    )
                    #expect(refused.status == 1, "\(options): \(refused)")
                    let message = try JSON(refused.errors)["error"]["message"].string ?? ""
                    #expect(message.contains(words), "\(options): \(message)")
                }
                _ = try await place.json("tokens", "revoke", "remote")
                try FileManager.default.removeItem(atPath: place.path("admin"))
            }
            try await place.serving(with: anchor) { server in
                _ = try await place.json(["publish", "large.ipa"] + anchor + server.options)
            }
        }
    }

    @Test func `--link-lifetime says until when a link that was given installs`() async throws {
        try await Workplace.run { place in
            try await Self.published(in: place)
            var ends: [Double] = []
            for lifetime in ["1h", "9h"] {
                let base = try await place.freeAddress()
                let server = try place.start(
                    "serve",
                    "--port",
                    base.port,
                    "--plain-port",
                    "0",
                    "--base-url",
                    base.url,
                    "--link-lifetime",
                    lifetime,
                )
                defer { server.send(SIGKILL) }
                _ = try #require(await server.line())
                let page = try await place.curl(base.url + "/apps/browsey").text
                let link = try #require(page.firstMatch(of: /install%2F([A-Za-z0-9_-]+)/)).1
                // After a version byte comes the link's end, in quarters of an hour.
                var text = String(link).replacing("-", with: "+").replacing("_", with: "/")
                while !text.count.isMultiple(of: 4) { text += "=" }
                let bytes = Array(try #require(Data(base64Encoded: text)))
                try #require(bytes.count > 5)
                let end = bytes[1..<5].reduce(0.0) { $0 * 256 + Double($1) } * 900
                ends.append(end - Date().timeIntervalSince1970)
            }
            #expect(ends[0] > 0 && ends[0] <= 7200, "\(ends)")
            #expect(ends[1] > 6 * 3600 && ends[1] < 24 * 3600, "\(ends)")
        }
    }

    @Test func `each option of doctor changes what a phone would have shown`() async throws {
        try await Workplace.run { place in
            let udid = Workplace.ana
            let other = "00008120-0000000000000099"
            try place.write(place.authority.privatePEM, to: "keys.pem")
            for (app, name) in [("browsey", "a.ipa"), ("simbridge-host", "b.ipa")] {
                _ = try await place.json(
                    "sample",
                    "--app",
                    app,
                    "--device",
                    udid,
                    "--authority",
                    "keys.pem",
                    "--output",
                    name,
                )
                _ = try await place.json("publish", name, "--trusted-ca", "anchor.pem")
            }
            let pads = try await place.json("apps", "list")["apps"].items
                .compactMap { $0["slug"].string }.first { $0 != "browsey" }
            let pad = try #require(pads)
            try await place.serving { server in
                func step(
                    _ app: String,
                    _ words: String...,
                    trust: Bool = true,
                ) async throws -> (installs: Bool?, failed: Int, skipped: Int, resumed: Double?) {
                    let outcome = try await place.ota(
                        ["doctor", server.url + "/apps/" + app, "--json"]
                            + (trust ? ["--trusted-ca", "ca.pem"] : []) + words
                    )
                    let attempt = try JSON(outcome.output)
                    let outcomes = attempt["steps"].items.compactMap { $0["outcome"].string }
                    #expect(outcome.status == (attempt["installs"].boolean == true ? 0 : 1))
                    return (
                        attempt["installs"].boolean, outcomes.count { $0 == "failed" },
                        outcomes.count { $0 == "skipped" },
                        attempt["installation"]["resumptions"].number.map { Double($0) },
                    )
                }
                #expect(try await step("browsey").installs == true)
                #expect(try await step("browsey", "--device", udid).installs == true)
                #expect(try await step("browsey", "--device", other).installs == false)
                #expect(try await step("browsey", "--os", "9.0").installs == false)
                #expect(try await step(pad, "--family", "pad").installs == true)
                #expect(try await step(pad, "--family", "phone").installs == false)
                let cut = try await step("browsey", "--cut-at", "1000", "--cut-at", "9000")
                #expect(cut.installs == true && cut.resumed == 2, "\(cut)")
                let all = try await step("browsey", trust: false)
                #expect(all.failed == 1 && all.skipped == 0, "\(all)")
                let early = try await step("browsey", "--stop-early", trust: false)
                #expect(early.failed == 1 && early.skipped > 3, "\(early)")
            }
        }
    }
}
