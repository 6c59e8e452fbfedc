import Foundation
import TestSupport
import Testing

/// The locations from which phones can fetch builds of a store in a bucket, other than the server.
@Suite(.enabled(if: BucketPlace.isHere), .timeLimit(.minutes(5)))
struct BucketDownloadTests {
    // Options: serve: downloads
    @Test func `phones download where --downloads says, and no server starts where they could not`()
        async throws
    {
        try await BucketPlace.run { bucket in
            let place = bucket.place
            try place.build()
            try await bucket.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
            try await Self.makeCertificates(in: place)
            let engine = try await ObjectEngine.running(.seaweed)
            // Stands for a CDN in front of the bucket's folder: no signature, no query.
            try await Self.withTLS(before: try #require(engine.files), in: place) { front in
                let folder = bucket.store.dropFirst("s3://".count)
                let network = "\(front)/buckets/\(folder)"
                let options = ["--downloads", network, "--store-ca-file", "ca.pem"]
                let server = try await bucket.server("spool-of-server", options)
                defer { server.process.send(SIGKILL) }
                let named = try await Self.archive(at: server, in: place)
                #expect(named.hasPrefix(network + "/blobs/sha256/") && !named.contains("?"))
                let bytes = try await place.doctor(
                    server.base + "/apps/browsey",
                    like: server.base,
                    log: server.log,
                    trusting: ["--trusted-ca", "ca.pem"],
                )
                #expect(bytes == (try place.bytes("build.ipa")))
                // The server itself has not fetched anything.
                let cache = place.path("spool-of-server/cache")
                #expect((try? FileManager.default.contentsOfDirectory(atPath: cache)) ?? [] == [])
                try await server.stop()
                for (wrong, reason) in [
                    (network + "-other", "does not serve what the store has"),
                    ("direct", "has no https address"),
                ] {
                    let outcome = try await bucket.serveOnce(downloads: wrong)
                    #expect(outcome.status == 1 && outcome.errors.contains(reason), "\(outcome)")
                }
            }
            try await Self.withTLS(before: bucket.endpoint, in: place) { front in
                let secure = BucketPlace(place: place, endpoint: front, store: bucket.store)
                let outcome = try await secure.serveOnce(downloads: "direct")
                #expect(
                    outcome.status == 1 && outcome.errors.contains("does not answer HEAD"),
                    "\(outcome)",
                )
                let options = ["--downloads", "redirect", "--store-ca-file", "ca.pem"]
                let server = try await secure.server("spool-of-other", options)
                defer { server.process.send(SIGKILL) }
                let archive = try await Self.archive(at: server, in: place)
                let head = try await place.run("/usr/bin/curl", "-skI", archive)
                #expect(head.hasPrefix("HTTP/1.1 200"), "\(head)")
                #expect(try await place.curl(archive).status == 307)
                _ = try await place.run("/usr/bin/curl", "-skL", "-o", "led", archive)
                #expect(try place.bytes("led") == (try place.bytes("build.ipa")))
                let installed = try await place.doctor(
                    server.base + "/apps/browsey",
                    like: server.base,
                    log: server.log,
                    trusting: ["--trust", "ca.pem"],
                )
                #expect(installed == (try place.bytes("build.ipa")))
                try await server.stop()
            }
        }
        try await Workplace.run { place in
            let outcome = try await place.ota("serve", "--port", "0", "--downloads", "redirect")
            #expect(outcome.status == 1 && outcome.errors.contains("in a folder"), "\(outcome)")
        }
    }

    @Test(.enabled(if: ObjectEngine.Kind.here.contains(.moto)))
    func `phones install by signed addresses of a store that answers HEAD there`() async throws {
        try await BucketPlace.run(on: try await ObjectEngine.running(.moto)) { bucket in
            let place = bucket.place
            try place.build()
            try await Self.makeCertificates(in: place)
            try await Self.withTLS(before: bucket.endpoint, in: place) { front in
                let secure = BucketPlace(place: place, endpoint: front, store: bucket.store)
                let anchor = ["--store-ca-file", "ca.pem"]
                let published = try await place.ota(
                    ["publish", "build.ipa", "--trusted-ca", "anchor.pem"] + anchor,
                    environment: secure.environment,
                )
                #expect(published.status == 0, "\(published)")
                let server = try await secure.server(
                    "spool-of-server",
                    anchor + ["--downloads", "direct"],
                )
                defer { server.process.send(SIGKILL) }
                let archive = try await Self.archive(at: server, in: place)
                #expect(archive.hasPrefix(front) && archive.contains("X-Amz-Signature="))
                let bytes = try await place.doctor(
                    server.base + "/apps/browsey",
                    like: server.base,
                    log: server.log,
                    trusting: ["--trusted-ca", "ca.pem"],
                )
                #expect(bytes == (try place.bytes("build.ipa")))
                try await server.stop()
                let log = String(decoding: try place.bytes(server.log), as: UTF8.self)
                #expect(!log.contains("X-Amz-Signature"))
            }
        }
    }

    /// The URL of the build in the manifest.
    private static func archive(
        at server: BucketServer,
        in place: Workplace,
    ) async throws -> String {
        let page = try await place.curl(server.base + "/apps/browsey").text
        let link = try #require(page.firstMatch(of: /https%3A%2F%2F[^"&]+manifest\.plist/)).output
        let manifest = try #require(String(link).removingPercentEncoding)
        let text = try await place.curl(manifest).text
        let archive = try #require(
            text.firstMatch(of: /<string>(https:[^<]+)<\/string>/)?.output.1
        )
        return String(archive.replacing("&amp;", with: "&"))
    }

    /// Creates an authority `ca.pem`, and a certificate from it for this machine.
    private static func makeCertificates(in place: Workplace) async throws {
        _ = try await place.run(
            "/bin/sh",
            "-c",
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 \
              -subj /CN=authority -keyout ca.key -out ca.pem 2>/dev/null
            openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=store \
              -keyout store.key -out store.csr 2>/dev/null
            printf 'subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth\n' > names
            openssl x509 -req -in store.csr -CA ca.pem -CAkey ca.key -days 30 -extfile names \
              -out store.pem 2>/dev/null
            """,
        )
    }

    /// Adds TLS, which phones require; passes the URL to `body`.
    private static func withTLS(
        before address: String,
        in place: Workplace,
        _ body: (String) async throws -> Void,
    ) async throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Support/tls.py")
        let python = try #require(WebhookReceiver.python)
        let port = try #require(address.split(separator: ":").last)
        let process = try python.start(
            [script.path(), place.path("store.pem"), place.path("store.key"), String(port)],
            in: place.folder,
        )
        defer { process.send(SIGKILL) }
        let own = try #require(await process.line())
        try await body("https://127.0.0.1:\(own)")
    }
}

extension BucketPlace {
    /// Runs a server that must refuse to start.
    fileprivate func serveOnce(downloads: String) async throws -> Program.Outcome {
        try await place.ota(
            ["serve", "--port", "0", "--no-plain", "--store-ca-file", "ca.pem"]
                + ["--downloads", downloads],
            environment: environment,
        )
    }
}
