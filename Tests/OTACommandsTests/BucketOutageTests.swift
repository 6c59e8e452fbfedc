import Foundation
import Sample
import TestSupport
import Testing

/// A server whose store is temporarily unavailable.
@Suite(.enabled(if: BucketPlace.isHere), .timeLimit(.minutes(5)))
struct BucketOutageTests {
    @Test
    func `what is in memory or cached goes on, writes are refused by name, and then all goes on`()
        async throws
    {
        let engine = try await ObjectEngine.own(.seaweed)
        try await BucketPlace.run(on: engine) { bucket in
            let place = bucket.place
            try place.build()
            try place.build("next.ipa") { $0.version("1.5.0", build: "30") }
            let base = try await place.freeAddress()
            let published = try await bucket.json(
                "publish",
                "build.ipa",
                "--trusted-ca",
                "anchor.pem",
                "--base-url",
                base.url,
            )
            try await bucket.json(
                "tokens",
                "create",
                "--name",
                "ci",
                "--scope",
                "admin",
                "--file",
                "token",
            )
            let server = try await bucket.server(
                "spool-of-server",
                ["--port", base.port, "--base-url", base.url],
            )
            defer { server.process.send(SIGKILL) }
            try await server.saveAuthority(in: place)
            let page = try #require(published["url"].string)
            let bytes = try await place.doctor(page, like: base.url, log: server.log)
            #expect(bytes == (try place.bytes("build.ipa")))
            let publish = [
                "publish", "next.ipa", "--server", base.url, "--token-file", "token", "--ca-file",
                "ca.pem", "--trusted-ca", "anchor.pem", "--json",
            ]

            try engine.send(SIGSTOP)
            defer { try? engine.send(SIGCONT) }
            let ready = base.url + "/readyz"
            try await Self.becomes(503, ready, in: place)
            for _ in 0..<3 {
                let begun = ContinuousClock.now
                #expect(try await place.curl(page).status == 200)
                #expect(ContinuousClock.now - begun < .seconds(2))
            }
            let again = try await place.doctor(page, like: base.url, log: server.log)
            #expect(again == bytes)
            let token = String(decoding: try place.bytes("token"), as: UTF8.self)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            let begun = ContinuousClock.now
            let answer = try await place.run(
                "/usr/bin/curl",
                "-sk",
                "-w",
                " %{http_code}",
                "-X",
                "POST",
                "-H",
                "authorization: Bearer \(token)",
                "-H",
                "content-type: application/json",
                "-d",
                #"{"app": "com.example.other", "title": "Other"}"#,
                base.url + "/api/v1/apps",
            )
            #expect(ContinuousClock.now - begun < .seconds(5))
            #expect(answer.hasSuffix(" 503"), "\(answer)")
            #expect(answer.contains(#""kind":"unavailable""#), "\(answer)")

            // The command waits for servers that are temporarily unavailable.
            async let publishing = place.ota(publish)
            try await Task.sleep(for: .seconds(2))
            try engine.send(SIGCONT)
            try await Self.becomes(200, ready, in: place)
            let accepted = try await publishing
            #expect(accepted.status == 0, "\(accepted)")
            let next = try await place.doctor(page, like: base.url, log: server.log)
            #expect(next == (try place.bytes("next.ipa")))
            // The log names the beginning and the end of the outage once, however often it was noticed.
            let log = String(decoding: try place.bytes(server.log), as: UTF8.self)
                .split(separator: "\n")
            let begins = log.filter { $0.contains("the store does not answer") }
            #expect(begins.count == 1 && begins[0].contains("warning"), "\(begins)")
            #expect(begins.allSatisfy { $0.contains("did not answer within") }, "\(begins)")
            let ends = log.filter { $0.contains("the store answers again") }
            #expect(ends.count == 1 && ends[0].contains("notice"), "\(ends)")
            #expect(ends.allSatisfy { $0.contains(" seconds") }, "\(ends)")
            try await server.stop()
        }
    }

    /// Waits until a URL returns a status.
    private static func becomes(_ status: Int, _ url: String, in place: Workplace) async throws {
        let end = ContinuousClock.now + .seconds(30)
        var last = 0
        while ContinuousClock.now < end {
            last = try await place.curl(url).status
            if last == status { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        Issue.record("\(url) is answered with \(last), not \(status)")
    }
}
