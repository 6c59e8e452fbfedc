import Foundation
import TestSupport
import Testing

/// Unusable buckets: each is refused with an error that says what to do.
@Suite(.enabled(if: BucketPlace.isHere), .timeLimit(.minutes(10)))
struct BucketRefusalTests {
    @Test func `a wrong key, plain text and missing credentials are named`()
        async throws
    {
        try await BucketPlace.run { bucket in
            let add = ["apps", "add", "com.example.app"]
            let secret = try await bucket.refusal(add, ["AWS_SECRET_ACCESS_KEY": "wrong"])
            #expect(secret["id"].string == "s3.key-refused")
            #expect(secret["fix"].string == "check the access key and its secret")
            let key = try await bucket.refusal(add, ["AWS_ACCESS_KEY_ID": "NOBODY"])
            #expect(key["id"].string == "s3.key-refused")
            let plain = try await bucket.refusal(add, ["OTA_STORE_PLAIN_TEXT": ""])
            #expect(plain["id"].string == "s3.plain-text")
            #expect(plain["fix"].string?.contains("--store-plain-text") == true)
            let none = try await bucket.refusal(
                add,
                [
                    "AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "",
                    "AWS_EC2_METADATA_DISABLED": "true",
                ],
            )
            #expect(none["id"].string == "s3.no-credentials", "\(none)")
            let name = try await bucket.refusal(add, ["OTA_STORE": "s3://B/a"])
            #expect(name["id"].string?.hasPrefix("s3.bad-") == true)
            let style = try await bucket.place.ota(
                add,
                environment: bucket.environment.merging(["OTA_STORE_STYLE": "round"]) { $1 },
            )
            #expect(style.status != 0 && style.errors.contains("OTA_STORE_STYLE"))
        }
    }

    @Test func `OTA_STORE_PLAIN_TEXT takes the words of a switch, and no others`() async throws {
        try await Workplace.run { place in
            func outcome(_ value: String) async throws -> Program.Outcome {
                try await place.ota(
                    ["apps", "list", "--json"],
                    environment: [
                        "OTA_STORE": "s3://builds/ota",
                        "OTA_STORE_ENDPOINT": "http://store.invalid:1",
                        "OTA_SPOOL": place.path("spool"),
                        "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b",
                        "OTA_STORE_PLAIN_TEXT": value,
                    ],
                )
            }
            for value in ["1", "true", "YES", "on"] {
                #expect(try await outcome(value).errors.contains("s3.unreachable"), "\(value)")
            }
            for value in ["", "0", "false", "no", "off"] {
                #expect(try await outcome(value).errors.contains("s3.plain-text"), "\(value)")
            }
            let unknown = try await outcome("maybe")
            #expect(unknown.status != 0 && unknown.errors.contains("OTA_STORE_PLAIN_TEXT"))
        }
    }

    @Test func `a store is no spool`() async throws {
        try await Workplace.run { place in
            _ = try await place.json("apps", "add", "com.example.app")
            let inside = place.path("ota-store/spool")
            for spool in [place.path("ota-store"), "ota-store", inside, "s3://builds/spool"] {
                for way in [["--spool", spool], []] {
                    let outcome = try await place.ota(
                        ["apps", "list", "--json"] + way,
                        environment: [
                            "OTA_STORE": "s3://builds/ota",
                            "OTA_STORE_ENDPOINT": "https://store.invalid:1",
                            "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b",
                            "OTA_SPOOL": way.isEmpty ? spool : "",
                        ],
                    )
                    #expect(outcome.status == 1)
                    let error = try JSON(outcome.errors)["error"]
                    #expect(error["id"].string == "store.spool-is-store", "\(outcome)")
                    #expect(error["place"].string == spool)
                }
            }
            #expect(!place.isThere("ota-store/spool"))
        }
    }

    // Options: *: store-region
    @Test func `a store that ignores conditions is refused, in whichever --store-region`()
        async throws
    {
        try await BucketPlace.run { bucket in
            try await careless(in: bucket.place) { port, requests in
                let endpoint = ["OTA_STORE_ENDPOINT": "http://127.0.0.1:\(port)"]
                for command in [["apps", "add", "com.example.app"], ["serve", "--port", "0"]] {
                    let arguments = command + ["--store-region", "eu-central-1"]
                    let outcome = try await bucket.place.ota(
                        arguments,
                        environment: bucket.environment.merging(endpoint) { $1 },
                    )
                    #expect(outcome.status == 1)
                    #expect(outcome.errors.contains("ignores the conditions of writes"))
                    #expect(outcome.errors.contains("use a store that supports If-Match"))
                }
                #expect(try requests().contains("/eu-central-1/s3/aws4_request"))
                #expect(try requests().contains(#""path": "/ota-commands/"#))
            }
        }
    }

    // Options: *: store-ca-file
    @Test func `a store with a private authority is trusted with --store-ca-file alone`()
        async throws
    {
        try await BucketPlace.run { bucket in
            let place = bucket.place
            _ = try await place.run(
                "/bin/sh",
                "-c",
                """
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 \
                  -subj /CN=authority -keyout ca.key -out ca.pem 2>/dev/null
                openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=store \
                  -keyout store.key -out store.csr 2>/dev/null
                printf 'subjectAltName=IP:127.0.0.1' > names
                openssl x509 -req -in store.csr -CA ca.pem -CAkey ca.key -days 30 -extfile names \
                  -out store.pem 2>/dev/null
                """,
            )
            let pair = [place.path("store.pem"), place.path("store.key")]
            try await careless(in: place, pair) { port, _ in
                let endpoint = ["OTA_STORE_ENDPOINT": "https://127.0.0.1:\(port)"]
                let add = ["apps", "add", "com.example.app"]
                let stranger = try await bucket.refusal(add, endpoint)
                #expect(stranger["id"].string == "s3.untrusted", "\(stranger)")
                #expect(stranger["fix"].string?.contains("--store-ca-file") == true, "\(stranger)")
                let anchor = ["--store-ca-file", "ca.pem"]
                let trusted = try await bucket.refusal(add + anchor, endpoint)
                #expect(trusted["id"].string == "s3.ignores-conditions", "\(trusted)")
            }
        }
    }

    // Options: *: store-style
    @Test func `a bucket is named in the path, or in the host by --store-style`() async throws {
        try await BucketPlace.run { bucket in
            let endpoint = ["OTA_STORE_ENDPOINT": "http://store.invalid:1"]
            let add = ["apps", "add", "com.example.app", "--store-style"]
            let path = try await bucket.refusal(add + ["path"], endpoint)
            #expect(path["id"].string == "s3.unreachable")
            #expect(path["message"].string?.contains(" store.invalid:1: ") == true, "\(path)")
            let host = try await bucket.refusal(add + ["virtual-host"], endpoint)
            #expect(
                host["message"].string?.contains("ota-commands.store.invalid") == true,
                "\(host)",
            )
        }
    }

    @Test func `options of a bucket are for no folder and no server`() async throws {
        try await Workplace.run { place in
            let folder = try await place.ota("apps", "list", "--store", "a", "--store-region", "b")
            #expect(folder.status == 64 && folder.errors.contains("--store-region is for"))
            let server = try await place.ota(
                "apps",
                "list",
                "--server",
                "https://127.0.0.1",
                "--spool",
                "b",
            )
            #expect(server.status == 64 && server.errors.contains("not both"))
            let empty = try await place.ota(
                "store",
                "verify",
                "--store",
                "s3://a-b",
                "--spool",
                "",
            )
            #expect(empty.status == 64 && empty.errors.contains("--spool is empty"))
        }
    }

    /// Runs a store that accepts every write; `requests` are those that it received.
    private func careless(
        in place: Workplace,
        _ certificate: [String] = [],
        _ body: (_ port: Int, _ requests: () throws -> String) async throws -> Void,
    ) async throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Support/careless.py")
        let python = try #require(WebhookReceiver.python)
        let arguments = [script.path(), place.path("requests")] + certificate
        let process = try python.start(arguments, in: place.folder)
        defer { process.send(SIGKILL) }
        let port = try #require(await process.line().flatMap { Int($0) })
        try await body(port) { String(decoding: try place.bytes("requests"), as: UTF8.self) }
    }
}
