import Foundation
import TestSupport
import Testing

/// Apps and the origins of releases, from `ota serve` over TLS.
@Suite(.timeLimit(.minutes(10)))
struct RemoteReleaseTests {
    @Test func `apps are listed, shown and changed from another machine`() async throws {
        try await Workplace.run { place in
            try await place.serving { server in
                try await place.fill()
                for words in [["apps", "list"], ["apps", "show", "browsey"]] {
                    let there = try await place.json(words + server.options)
                    #expect(try await place.json(words) == there)
                    let text = try await place.ota(words + server.options)
                    #expect(try await place.ota(words).output == text.output && text.status == 0)
                }
                let changed = try await place.json(
                    [
                        "apps", "set", "browsey", "--access", "passphrase", "--passphrase-stdin",
                        "--title", "Browsey Beta", "--unlisted",
                    ] + server.options,
                    input: "correct horse battery\n",
                )
                #expect(changed["app"]["access"].string == "passphrase")
                #expect(changed["app"]["hasPassphrase"].boolean == true)
                let shown = try await place.ota("apps", "show", "browsey")
                let access = "Access: anyone with the passphrase; not on the start page."
                #expect(shown.output.contains(access))
                let short = try await place.ota(
                    ["apps", "set", "browsey", "--passphrase-stdin", "--json"] + server.options,
                    input: "short",
                )
                #expect(short.status == 1)
                #expect(try JSON(short.errors)["error"]["id"].string == "app.bad-passphrase")
            }
        }
    }

    @Test func `where a release came from is proven by what a server says and a key that is known`()
        async throws
    {
        try await Workplace.run { place in
            try await place.serving { server in
                try await place.fill()
                let verify = ["releases", "verify", "browsey", "1.4.0"]
                let here = try await place.json(verify + ["--export-key", "server.pem"])
                #expect(here["verified"].boolean == true)
                #expect(try await place.json(verify + server.options) == here)
                let text = try await place.ota(verify + server.options)
                #expect(
                    text.status == 0
                        && text.output.contains(
                            "The server itself supplied the "
                                + "key"
                        )
                )
                let pinned = verify + ["--key", "server.pem"] + server.options
                let sure = try await place.ota(pinned)
                #expect(sure.status == 0 && !sure.output.contains("supplied the key"))

                let own = try await place.json(pinned + ["--ipa", "build.ipa"])
                #expect(own == here)
                #expect(try await place.json(verify + ["--ipa", "build.ipa"]) == here)
                func refusal(_ words: [String]) async throws -> String? {
                    let outcome = try await place.ota(words + ["--json"])
                    #expect(outcome.status == 1 && outcome.output.isEmpty)
                    return try JSON(outcome.errors)["error"]["id"].string
                }
                try place.write("another build", to: "other.ipa")
                #expect(
                    try await refusal(pinned + ["--ipa", "other.ipa"]) == "provenance.other-bytes"
                )
                _ = try await place.run(
                    "/bin/sh",
                    "-c",
                    "openssl ecparam -name prime256v1 -genkey -noout | openssl ec -pubout > "
                        + "else.pem",
                )
                #expect(
                    try await refusal(verify + ["--key", "else.pem"] + server.options)
                        == "provenance.other-key"
                )
                // Corrupted bytes on the server's disk are detected remotely.
                let digest = try #require(here["sha256"].string)
                let blob = "ota-store/blobs/sha256/\(digest.prefix(2))/\(digest)"
                _ = try await place.run(
                    "/bin/sh",
                    "-c",
                    "chmod u+w \(blob) && printf X | dd of=\(blob) bs=1 seek=100 conv=notrunc",
                )
                #expect(try await refusal(pinned) == "provenance.other-bytes")
                #expect(try await place.json(pinned + ["--ipa", "build.ipa"]) == here)
            }
        }
    }
}
