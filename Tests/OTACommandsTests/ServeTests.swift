import Foundation
import Sample
import TestSupport
import Testing

/// `ota serve` as a process, with other commands on the same store.
@Suite(.timeLimit(.minutes(10)))
struct ServeTests {
    @Test func `serving says one line and ends with status 0 on SIGTERM`() async throws {
        try await Workplace.run { place in
            let server = try place.start("serve", "--port", "0", "--plain-port", "0")
            defer { server.send(SIGKILL) }
            let line = try #require(await server.line())
            #expect(line.hasPrefix("listening on https://"))
            server.send(SIGTERM)
            #expect(try await server.status() == 0)
            #expect(await server.remainingLines().isEmpty)
        }
    }

    // Options: serve: drain-time
    @Test func `a server that is to stop says so for the time of serve --drain-time`() async throws
    {
        try await Workplace.run { place in
            let server = try place.start(
                "serve",
                "--port",
                "0",
                "--plain-port",
                "0",
                "--drain-time",
                "5s",
            )
            defer { server.send(SIGKILL) }
            let base = try #require(await server.line()).replacing("listening on ", with: "")
            #expect(try await place.curl(base + "/readyz").status == 200)
            server.send(SIGTERM)
            var status = 200
            while status == 200 { status = try await place.curl(base + "/readyz").status }
            #expect(status == 503)
            #expect(try await server.status() == 0)
        }
    }

    @Test func `two servers on one store are not had`() async throws {
        try await Workplace.run { place in
            let server = try place.start("serve", "--port", "0", "--plain-port", "0")
            defer { server.send(SIGKILL) }
            _ = try #require(await server.line())
            let second = try await place.ota("serve", "--port", "0", "--plain-port", "0")
            #expect(second.status == 1)
            #expect(second.output.isEmpty)
            #expect(second.errors.contains("error:"))
            server.send(SIGTERM)
            #expect(try await server.status() == 0)
        }
    }

    @Test func `what commands do shows on the page within a second`() async throws {
        try await Workplace.run { place in
            let server = try place.start("serve", "--port", "0", "--plain-port", "0")
            defer { server.send(SIGKILL) }
            let base = try #require(await server.line()).replacing("listening on ", with: "")
            let page = base + "/apps/browsey"
            #expect(try await place.curl(page).status == 404)

            try place.build()
            let published = try await place.json(
                "publish",
                "build.ipa",
                "--trusted-ca",
                "anchor.pem",
            )
            #expect(published["created"].boolean == true)
            try await place.shows(page, "1.4.0")
            #expect(try await place.doctor(page, like: base) == (try place.bytes("build.ipa")))

            try place.build("next.ipa") { $0.version("1.5.0", build: "30") }
            _ = try await place.json("publish", "next.ipa")
            try await place.shows(page, "1.5.0")
            _ = try await place.json(
                "releases",
                "withdraw",
                "browsey",
                "1.5.0",
                "--reason",
                "it loses bookmarks",
            )
            try await place.shows(page, "it loses bookmarks")
            _ = try await place.json("releases", "promote", "browsey", "1.4.0")
            try await place.shows(page, "1.4.0")
            server.send(SIGTERM)
            #expect(try await server.status() == 0)
        }
    }

    @Test func `a restored store serves the same page under the same capability`() async throws {
        try await Workplace.run { place in
            try place.build()
            let base = try await place.freeAddress()
            let published = try await place.json(
                "publish",
                "build.ipa",
                "--trusted-ca",
                "anchor.pem",
                "--base-url",
                base.url,
            )
            _ = try await place.json("store", "backup", "backup.tar")
            let manifest = try #require(published["manifestURL"].string)
            let page = try #require(published["url"].string)
            var answers: [[String]] = []
            for store in ["ota-store", "restored"] {
                if store == "restored" {
                    _ = try await place.json("store", "restore", "backup.tar", "--store", store)
                    let verified = try await place.json("store", "verify", "--store", store)
                    #expect(verified["problems"].items.isEmpty)
                }
                let server = try place.start(
                    "serve",
                    "--store",
                    store,
                    "--port",
                    base.port,
                    "--plain-port",
                    "0",
                )
                defer { server.send(SIGKILL) }
                #expect(await server.line() == "listening on \(base.url)")
                let archive = try await place.curl(try #require(published["ipaURL"].string))
                #expect(archive.status == 200)
                answers.append([
                    try await place.curl(page).text, try await place.curl(manifest).text,
                ])
                server.send(SIGTERM)
                #expect(try await server.status() == 0)
            }
            #expect(answers[0][0].contains("itms-services"))
            #expect(answers[0] == answers[1])
        }
    }
}

extension Workplace {
    struct Answer {
        let status: Int
        let text: String
    }

    /// Fetches a URL without verifying the server's certificate.
    func curl(_ url: String) async throws -> Answer {
        let outcome = try await Program(path: "/usr/bin/curl")
            .run(["-sk", "-w", "\n%{http_code}", url], in: folder)
        try #require(outcome.status == 0, "curl ends with \(outcome.status) at \(url)")
        let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
        return Answer(
            status: lines.last.flatMap { Int($0) } ?? 0,
            text: lines.dropLast().joined(separator: "\n"),
        )
    }

    /// Waits for a change by one process to show to another's visitors, which must take at most a second.
    func shows(
        _ url: String,
        _ text: String,
        isThere: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation,
    ) async throws {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(1)
        while true {
            let isLast = clock.now >= end
            if try await curl(url).text.contains(text) == isThere { return }
            if isLast { break }
        }
        Issue.record(
            "\(text.debugDescription) \(isThere ? "is not" : "is still") there",
            sourceLocation: sourceLocation,
        )
    }

    /// Installs with `ota doctor`, which learns to trust the server on its plain port; `log` is the file with
    /// the server's errors.
    func doctor(
        _ page: String,
        like base: String,
        log: String = "errors",
        trusting options: [String] = [],
    ) async throws -> [UInt8] {
        let errors = String(decoding: try bytes(log), as: UTF8.self)
        let trust = errors.split(whereSeparator: \.isWhitespace).last { $0.hasSuffix("/trust") }
        let plain = try #require(trust).dropLast("/trust".count)
        let attempt = try await json(
            [
                "doctor", page, "--trust-from", String(plain), "--save-ipa", "kept.ipa", "--os",
                "26.0",
            ]
                + options
        )
        #expect(attempt["installs"].boolean == true)
        return try bytes("kept.ipa")
    }

    /// Returns a URL with a port that is free now, for a server that must listen where its links point.
    func freeAddress() async throws -> (url: String, port: String) {
        let script =
            "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])"
        let outcome = try await Program(path: "/usr/bin/python3").run(["-c", script], in: folder)
        let port = outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
        return ("https://127.0.0.1:\(port)", port)
    }
}
