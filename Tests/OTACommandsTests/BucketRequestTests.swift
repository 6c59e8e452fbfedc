import Foundation
import Sample
import TestSupport
import Testing

/// How many requests servers send to the store, counted by a proxy.
@Suite(.enabled(if: BucketPlace.isHere), .timeLimit(.minutes(5)))
struct BucketRequestTests {
    @Test func `a page costs no request, and an idle server at most 2 a second`()
        async throws
    {
        try await BucketPlace.run { bucket in
            let place = bucket.place
            try place.build()
            try await bucket.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
            try await bucket.counted { bucket, requests in
                let server = try await bucket.server("spool-of-server")
                defer { server.process.send(SIGKILL) }
                let page = server.base + "/apps/browsey"
                #expect(try await place.curl(page).status == 200)
                // The startup work is done, and so are the repeated checks after the publish: the next check
                // for late changes comes long after these visits.
                try await Task.sleep(for: .seconds(13))
                #expect(try await place.curl(page).status == 200)
                let idle = try await requests.during { try await Task.sleep(for: .seconds(10)) }
                #expect(idle.count <= 20, "\(idle)")

                let visits = try await requests.during {
                    for _ in 0..<20 {
                        let status = try await place.curl(page).status
                        #expect(status == 200)
                    }
                }
                // The requests of an idle server are not counted.
                #expect(Self.further(visits).isEmpty, "\(visits)")
                try await server.stop()
            }
        }
    }

    @Test func `a build is read from the store once, though 300 phones fetch it together`()
        async throws
    {
        try await BucketPlace.run { bucket in
            let place = bucket.place
            try place.build { $0.padded(megabytes: 3) }
            let base = try await place.freeAddress()
            let published = try await bucket.json(
                "publish",
                "build.ipa",
                "--trusted-ca",
                "anchor.pem",
                "--base-url",
                base.url,
            )
            let manifest = try #require(published["manifestURL"].string)
            try await bucket.counted { bucket, requests in
                let server = try await bucket.server(
                    "spool-of-server",
                    ["--port", base.port, "--base-url", base.url],
                )
                defer { server.process.send(SIGKILL) }
                // The server begins to fetch the build when the manifest is requested.
                let asked = try await requests.during {
                    let text = try await place.curl(manifest).text
                    let archive = String(
                        try #require(text.firstMatch(of: /https:[^<]+\.ipa/)).output
                    )
                    _ = try await place.run(
                        "/bin/sh",
                        "-c",
                        """
                        sha256sum <build.ipa >build.sum
                        for i in $(seq 40); do
                          curl -sk "\(archive)" | sha256sum >"phone-$i" &
                        done
                        curl -skZ --parallel-immediate --parallel-max 260 -o /dev/null \
                          -w '%{http_code} %{size_download}\n' "\(archive)#[1-260]" >phones
                        wait
                        """,
                    )
                }
                let digests = try await place.run(
                    "/bin/sh",
                    "-c",
                    "sort -u phone-* build.sum | wc -l",
                )
                #expect(digests.trimmingCharacters(in: .whitespacesAndNewlines) == "1")
                let size = try place.bytes("build.ipa").count
                let phones = String(decoding: try place.bytes("phones"), as: UTF8.self).split(
                    separator: "\n"
                )
                #expect(phones.count == 260 && Set(phones) == ["200 \(size)"], "\(phones)")
                // The server also reads all blobs at its start, in smaller pieces.
                let sum = String(decoding: try place.bytes("build.sum").prefix(64), as: UTF8.self)
                let pieces = asked.compactMap { request -> Range<Int>? in
                    guard request.hasPrefix("GET"), request.contains("/blobs/sha256/"),
                        request.contains(sum),
                        let range = request.firstMatch(of: /bytes=(\d+)-(\d+)$/),
                        let first = Int(range.output.1), let last = Int(range.output.2),
                        last - first >= 1 << 20
                    else { return nil }
                    return first..<last + 1
                }
                // Each byte range is read once: the ranges are contiguous, and cover the whole build.
                var end = 0
                for piece in pieces.sorted(by: { $0.lowerBound < $1.lowerBound }) {
                    #expect(piece.lowerBound == end, "\(pieces)")
                    end = piece.upperBound
                }
                #expect(!pieces.isEmpty && end >= size, "\(pieces)")
                try await server.stop()
            }
        }
    }

    @Test func `a publish by command line asks the store twenty times at most`() async throws {
        try await BucketPlace.run { bucket in
            let place = bucket.place
            try Self.builds(in: place)
            try place.build("other.ipa") { $0.version("1.7.0", build: "1.7.0") }
            try await bucket.counted { bucket, requests in
                try await bucket.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
                // A command that starts shortly after an announced change sends further requests.
                try await Task.sleep(for: .seconds(6))
                try await bucket.json("publish", "next.ipa", "--trusted-ca", "anchor.pem")
                try await Task.sleep(for: .seconds(6))
                let asked = try await requests.during {
                    try await bucket.json("publish", "last.ipa", "--trusted-ca", "anchor.pem")
                }
                #expect(asked.count <= 20, "\(asked.count): \(asked.joined(separator: "\n"))")
                #expect(asked.contains { $0.hasPrefix("PUT") && $0.contains("/blobs/") })

                // A machine that has cached nothing yet.
                let elsewhere = try await requests.during {
                    let outcome = try await place.ota(
                        ["publish", "other.ipa", "--json"],
                        environment: bucket.environment.merging(["OTA_SPOOL": place.path("other")])
                        { $1 },
                    )
                    #expect(outcome.status == 0, "\(outcome)")
                }
                // Seven of these check, once a day, whether the store supports conditional writes.
                #expect(
                    elsewhere.count <= 38,
                    "\(elsewhere.count): \(elsewhere.joined(separator: "\n"))",
                )
            }
        }
    }

    @Test func `what another machine has changed counts in the next publish`() async throws {
        try await BucketPlace.run { bucket in
            let place = bucket.place
            try Self.builds(in: place)
            func other(_ arguments: String...) async throws {
                let outcome = try await place.ota(
                    arguments + ["--json"],
                    environment: bucket.environment.merging(["OTA_SPOOL": place.path("other")]) {
                        $1
                    },
                )
                #expect(outcome.status == 0, "\(outcome)")
            }
            try await bucket.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
            try await other("publish", "next.ipa", "--base-url", "https://ota.example.com")
            try await other("apps", "set", "browsey", "--title", "Another")
            try await other("devices", "add", "00008120-0000000000000042", "--name", "Ana")
            let last = try await bucket.json("publish", "last.ipa")
            #expect(last["url"].string?.hasPrefix("https://ota.example.com/") == true, "\(last)")
            let apps = try await bucket.json("apps", "list")["apps"].items
            #expect(apps.map { $0["title"].string } == ["Another"])
            let releases = try await bucket.json("releases", "list", "browsey")["releases"].items
            #expect(releases.count == 3)
            let activity = try await bucket.json("activity")["activity"].items
            #expect(activity.count { $0["event"].string == "published" } == 3)
            #expect(try await bucket.json("store", "verify")["problems"].items.isEmpty)
        }
    }

    @Test func `a publish by a server asks the store twenty times at most`() async throws {
        try await BucketPlace.run { bucket in
            let place = bucket.place
            try Self.builds(in: place)
            try await bucket.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
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
            try await bucket.counted { bucket, requests in
                let server = try await bucket.server("spool-of-server")
                defer { server.process.send(SIGKILL) }
                try await server.saveAuthority(in: place)
                func publish(_ build: String) async throws {
                    let outcome = try await place.ota(
                        "publish",
                        build,
                        "--server",
                        server.base,
                        "--token-file",
                        "token",
                        "--ca-file",
                        "ca.pem",
                        "--trusted-ca",
                        "anchor.pem",
                        "--json",
                    )
                    #expect(outcome.status == 0, "\(outcome)")
                }
                // Earlier changes by commands might not have reached the server yet.
                try await Task.sleep(for: .seconds(13))
                try await publish("next.ipa")
                try await Task.sleep(for: .seconds(1))
                let asked = try await requests.during {
                    try await publish("last.ipa")
                    // Includes the requests that follow from it: the announcement, and reading again what is
                    // shown.
                    try await Task.sleep(for: .seconds(5))
                }
                let own = asked.filter { !Self.isOfIdleServer($0) }
                #expect(own.count <= 20, "\(own.joined(separator: "\n"))")
                #expect(own.contains { $0.hasPrefix("PUT") && $0.contains("/blobs/") })
                try await server.stop()
            }
        }
    }

    /// Writes three versions of one app.
    private static func builds(in place: Workplace) throws {
        for (file, version) in [
            ("build.ipa", "1.4.0"), ("next.ipa", "1.5.0"), ("last.ipa", "1.6.0"),
        ] {
            try place.build(file) { $0.version(version, build: version) }
        }
    }

    /// Whether it is a poll for changes, the leader's lease, or a check for waiting lines.
    private static func isOfIdleServer(_ request: String) -> Bool {
        let request = request.replacing("%40", with: "@")
        return request.hasPrefix("GET")
            && (request.contains("/@news ") || request.contains("entries%2F"))
            || request.contains("/@leases/duties")
    }

    /// The requests without those of an idle server: polls for changes, leases, and checks for waiting lines.
    private static func further(_ requests: [String]) -> [String] {
        requests.filter { request in
            !["/@news ", "/@leases/", "%40news", "%40leases", "entries%2F"]
                .contains(where: request.contains)
        }
    }
}
