import Foundation
import Sample
import TestSupport
import Testing

/// Servers on a store in a bucket of a real object store.
@Suite(.enabled(if: BucketPlace.isHere), .timeLimit(.minutes(10)))
struct BucketServeTests {
    @Test func `what is published through one server, another one shows within two seconds`()
        async throws
    {
        try await BucketPlace.run { bucket in
            let place = bucket.place
            try place.build()
            try place.build("next.ipa") { $0.version("1.5.0", build: "30") }
            try place.build("earlier.ipa") { $0.version("1.3.0", build: "20") }
            try await bucket.json("publish", "earlier.ipa", "--trusted-ca", "anchor.pem")
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
            let first = try await bucket.server("first")
            let second = try await bucket.server("second")
            defer { for server in [first, second] { server.process.send(SIGKILL) } }
            let authority = try await place.curl(first.base + "/trust/authority.pem")
            try place.write(authority.text, to: "ca.pem")
            for (build, version) in [("build.ipa", "1.4.0"), ("next.ipa", "1.5.0")] {
                let outcome = try await place.ota(
                    "publish",
                    build,
                    "--server",
                    first.base,
                    "--token-file",
                    "token",
                    "--ca-file",
                    "ca.pem",
                    "--trusted-ca",
                    "anchor.pem",
                    "--json",
                )
                #expect(outcome.status == 0, "\(outcome)")
                try await Self.shows(second.base + "/apps/browsey", version, in: place, seconds: 2)
            }
            for server in [second, first] {
                let bytes = try await place.doctor(
                    server.base + "/apps/browsey",
                    like: server.base,
                    log: server.log,
                )
                #expect(bytes == (try place.bytes("next.ipa")))
            }
            #expect(try await place.curl(second.base + "/readyz").status == 200)
            try await first.stop()
            try await second.stop()
        }
    }

    @Test func `a phone gets the manifest, and the build by ranges, from a server on a bucket`()
        async throws
    {
        try await BucketPlace.run { bucket in
            let place = bucket.place
            try place.build()
            let base = try await place.freeAddress()
            let published = try await bucket.json(
                "publish",
                "build.ipa",
                "--trusted-ca",
                "anchor.pem",
                "--base-url",
                base.url,
            )
            let options = ["--port", base.port, "--base-url", base.url]
            let server = try await bucket.server("spool-of-server", options)
            defer { server.process.send(SIGKILL) }
            let manifest = try await place.curl(try #require(published["manifestURL"].string))
            #expect(manifest.status == 200)
            let match = try #require(manifest.text.firstMatch(of: /https:[^<]+\.ipa/))
            let address = String(match.output)
            let bytes = try place.bytes("build.ipa")
            let head = try await place.run("/usr/bin/curl", "-skI", address)
            #expect(head.lowercased().contains("content-length: \(bytes.count)"))
            #expect(head.lowercased().contains("accept-ranges: bytes"))
            _ = try await place.run("/usr/bin/curl", "-sk", "-o", "whole", address)
            #expect(try place.bytes("whole") == bytes)
            _ = try await place.run(
                "/usr/bin/curl",
                "-sk",
                "-r",
                "1000-2999",
                "-o",
                "part",
                address,
            )
            #expect(try place.bytes("part") == Array(bytes[1_000..<3_000]))
            // A second server on this machine needs a spool folder of its own.
            let other = try await place.ota(
                ["serve", "--port", "0", "--plain-port", "0", "--spool", "spool-of-server"],
                environment: bucket.environment,
            )
            #expect(other.status == 1 && other.errors.contains("another server has its spool"))
            try await server.stop()
        }
    }

    // Options: serve: download-cache
    @Test func `a server keeps as many builds as --download-cache says, also after a restart`()
        async throws
    {
        try await BucketPlace.run { bucket in
            let place = bucket.place
            let base = try await place.freeAddress()
            var archives: [String] = []
            var manifests: [String] = []
            for version in ["1.4.0", "1.5.0", "1.6.0"] {
                try place.build(version + ".ipa") {
                    $0.version(version, build: version).padded(megabytes: 1)
                }
                let published = try await bucket.json(
                    "publish",
                    version + ".ipa",
                    "--trusted-ca",
                    "anchor.pem",
                    "--base-url",
                    base.url,
                )
                manifests.append(try #require(published["manifestURL"].string))
            }
            func serving(_ megabytes: String, _ body: () async throws -> Void) async throws {
                let server = try await bucket.server(
                    "cached",
                    ["--port", base.port, "--base-url", base.url, "--download-cache", megabytes],
                )
                defer { server.process.send(SIGKILL) }
                try await body()
                try await server.stop()
            }
            func kept() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: place.path("cached/cache"))
                    .count
            }
            func fetch(_ archive: String, _ version: String) async throws {
                _ = try await place.run("/usr/bin/curl", "-sk", "-o", "fetched", archive)
                #expect(try place.bytes("fetched") == (try place.bytes(version + ".ipa")))
            }
            try await serving("3") {
                for (manifest, version) in zip(manifests, ["1.4.0", "1.5.0", "1.6.0"]) {
                    let text = try await place.curl(manifest).text
                    let address = try #require(text.firstMatch(of: /https:[^<]+\.ipa/))
                    archives.append(String(address.output))
                    try await fetch(archives[archives.count - 1], version)
                }
                #expect(try kept() == 2)
            }
            // Cached builds are verified, and missing ones are fetched again.
            try await serving("1024") {
                #expect(try kept() == 2)
                try await fetch(archives[2], "1.6.0")
                #expect(try kept() == 2)
                try await fetch(archives[0], "1.4.0")
                #expect(try kept() == 3)
            }
            try await serving("0") {
                let none = try kept()
                #expect(none == 0)
            }
        }
    }

    /// Polls until the text appears, for at most the given number of seconds.
    static func shows(
        _ url: String,
        _ text: String,
        in place: Workplace,
        seconds: Int,
    ) async throws {
        let end = ContinuousClock.now + .seconds(seconds)
        while true {
            let isLast = ContinuousClock.now >= end
            if try await place.curl(url).text.contains(text) { return }
            if isLast { break }
        }
        Issue.record("\(text) is not there within \(seconds) seconds")
    }
}
