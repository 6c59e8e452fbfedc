import Foundation
import Sample
import TestSupport
import Testing

/// Commands on a store in a bucket of a real object store.
@Suite(.enabled(if: BucketPlace.isHere), .timeLimit(.minutes(10)))
struct BucketCommandTests {
    private static let udid = "00008120-0000000000000042"

    // Options: *: store-endpoint store-plain-text spool
    @Test func `every command works on a store in a bucket that options name`() async throws {
        try await BucketPlace.run { bucket in
            let place = bucket.place
            try place.build()
            let options = [
                "--store", bucket.store, "--store-endpoint", bucket.endpoint, "--store-plain-text",
                "--spool", place.path("own-spool"),
            ]
            func json(_ arguments: String...) async throws -> JSON {
                let outcome = try await place.ota(
                    arguments + options + ["--json"],
                    environment: BucketPlace.credentials,
                )
                #expect(outcome.status == 0, "\(outcome)")
                return try JSON(outcome.output)
            }
            #expect(
                try await json("publish", "build.ipa", "--trusted-ca", "anchor.pem")["created"]
                    .boolean
                    == true
            )
            #expect(try await json("apps", "list")["apps"].items.count == 1)
            #expect(try await json("store", "verify")["problems"].items.isEmpty)
            #expect(place.isThere("own-spool") && !place.isThere("ota-store"))
        }
    }

    @Test func `apps, releases and devices are kept, verified, collected and backed up`()
        async throws
    {
        try await BucketPlace.run { bucket in
            let place = bucket.place
            let missing = try await bucket.refusal(["apps", "list"])
            #expect(missing["id"].string == "store.no-document")
            try place.build()
            try place.build("next.ipa") { $0.version("1.5.0", build: "30") }
            let dry = try await bucket.json(
                "publish",
                "build.ipa",
                "--trusted-ca",
                "anchor.pem",
                "--dry-run",
            )
            #expect(dry["created"].boolean == true)
            #expect(try await bucket.keys().isEmpty)
            try await bucket.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
            try await bucket.json("publish", "next.ipa")
            try await bucket.json("devices", "add", Self.udid, "--name", "Ana")
            try await bucket.json(
                "releases",
                "withdraw",
                "browsey",
                "1.5.0",
                "--reason",
                "it crashes",
            )
            try await bucket.json("releases", "promote", "browsey", "1.4.0")
            let releases = try await bucket.json("releases", "list", "browsey")
            #expect(releases["releases"].items.count == 2)
            #expect(try await bucket.json("devices", "list")["devices"].items.count == 1)
            #expect(try await bucket.json("activity")["activity"].items.count >= 5)

            let verified = try await bucket.json("store", "verify")
            #expect(verified["problems"].items.isEmpty && verified["releases"].number == 2)
            let collected = try await bucket.json("store", "gc", "--older-than", "1h")
            #expect(collected["blobs"].number == 0)

            let backup = try await bucket.json("store", "backup", "backup.tar")
            #expect(backup["blobs"].number == verified["blobs"].number)
            var other = bucket.environment
            other["OTA_STORE"] = bucket.store + "-restored"
            let restore = ["store", "restore", "backup.tar", "--json"]
            let restored = try await place.ota(restore, environment: other)
            #expect(restored.status == 0, "\(restored)")
            let again = try await place.ota(["store", "verify", "--json"], environment: other)
            #expect(try JSON(again.output)["blobs"].number == verified["blobs"].number)
            #expect(try JSON(again.output)["problems"].items.isEmpty, "\(again)")
            let list = try await place.ota(
                ["releases", "list", "browsey", "--json"],
                environment: other,
            )
            #expect(try JSON(list.output)["releases"].items.count == 2)
            let full = try await place.ota(restore, environment: other)
            #expect(full.status == 1 && full.errors.contains("store.not-empty"), "\(full)")
        }
    }

    @Test func `a store goes from a folder into a bucket and back, also after kill -9`()
        async throws
    {
        try await BucketPlace.run { bucket in
            let place = bucket.place
            for number in 1...6 {
                try place.build("\(number).ipa") {
                    $0.version("1.\(number).0", build: "\(number)")
                }
                _ = try await place.json("publish", "\(number).ipa", "--trusted-ca", "anchor.pem")
            }
            let arguments = ["store", "copy", "./ota-store", bucket.store, "--json"]
            let process = try place.start(
                arguments,
                environment: bucket.environment,
                errors: "log",
            )
            while try await bucket.keys().count(where: { $0.contains("/blobs/") }) < 3 {}
            process.send(SIGKILL)
            _ = try? await process.status()
            let unfinished = try await bucket.refusal(["apps", "list"])
            #expect(unfinished["id"].string == "store.unfinished-copy", "\(unfinished)")

            let outcome = try await place.ota(arguments, environment: bucket.environment)
            #expect(outcome.status == 0, "\(outcome)")
            let copied = try JSON(outcome.output)
            #expect(copied["blobsThere"].number ?? 0 >= 2, "\(outcome.output)")
            #expect(try await bucket.keys().allSatisfy { !$0.contains("copy.json") })
            #expect(try await bucket.json("store", "verify")["problems"].items.isEmpty)

            try await bucket.json("store", "copy", bucket.store, "./back")
            #expect(
                try await place.json("store", "verify", "--store", "back")["problems"].items.isEmpty
            )
            func digests(_ store: String) async throws -> String {
                let files = "find . -type f -path './blobs/*' -o -name '*.json' -o -name '*.jsonl'"
                let script = "cd \(store); { \(files); } | LC_ALL=C sort | xargs sha256sum"
                return try await place.run("/bin/sh", "-c", script)
            }
            let before = try await digests("ota-store")
            #expect(before == (try await digests("back")))
            #expect(before.contains("blobs/sha256"))
            let again = try await bucket.refusal(["store", "copy", "./ota-store", bucket.store])
            #expect(again["id"].string == "store.not-empty")
        }
    }
}
