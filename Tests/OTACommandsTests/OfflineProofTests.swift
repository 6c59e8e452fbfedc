import Foundation
import Sample
import TestSupport
import Testing

/// The origin of a release, proven with three files on a machine without a store.
@Suite(.timeLimit(.minutes(10)))
struct OfflineProofTests {
    @Test func `a statement, an IPA and a key prove a release without its store`() async throws {
        try await Workplace.run { place in
            try place.build()
            let commit = String(repeating: "5f1c", count: 10)
            _ = try await place.json([
                "publish", "build.ipa", "--trusted-ca", "anchor.pem", "--tag", "v1.4.0", "--commit",
                commit, "--repository", "https://ci:s3cret@git.example.com/vforsh/browsey.git",
                "--builder", "https://ci.example.com", "--run-url", "https://ci.example.com/42",
                "--branch", "main",
            ])
            let shown = try await place.json("releases", "show", "browsey", "1.4.0")["release"]
            #expect(shown["origin"]["branch"].string == "main")
            #expect(shown["origin"]["run"].string == "https://ci.example.com/42")
            _ = try await place.json(
                "releases",
                "verify",
                "browsey",
                "1.4.0",
                "--export",
                "provenance.json",
                "--export-key",
                "server.pem",
            )
            try FileManager.default.removeItem(at: place.folder.appending(path: "ota-store"))

            let files = ["--statement", "provenance.json", "--key", "server.pem"]
            let command = ["releases", "verify"] + files
            let text = try await place.ota(command + ["--ipa", "build.ipa"])
            #expect(text.status == 0, "\(text.errors)")
            for part in [
                "Verified. build.ipa is com.vforsh.browsey 1.4.0-27", "tag v1.4.0",
                "repository https://git.example.com/vforsh/browsey.git",
                "builder https://ci.example.com", "run https://ci.example.com/42",
                "stated by the publisher",
            ] { #expect(text.output.contains(part), "\(text.output)") }
            #expect(!text.output.contains("s3cret"))
            let proven = try await place.json(command + ["--ipa", "build.ipa"])
            #expect(proven["release"].string == "1.4.0-27")
            let run = proven["statement"]["predicate"]["runDetails"]
            #expect(run["builder"]["id"].string?.hasPrefix("urn:ota:store:") == true)

            try place.build("other.ipa") { $0.version("1.4.0", build: "28") }
            let other = try await place.ota(command + ["--ipa", "other.ipa", "--json"])
            #expect(other.status == 1)
            #expect(try JSON(other.errors)["error"]["id"].string == "provenance.other-bytes")
            let changed = String(decoding: try place.bytes("provenance.json"), as: UTF8.self)
            try place.write(
                changed.replacing("\"sig\" : \"M", with: "\"sig\" : \"N"),
                to: "bad.json",
            )
            let bad = try await place.ota(
                ["releases", "verify", "--statement", "bad.json", "--key", "server.pem"]
                    + ["--ipa", "build.ipa", "--json"]
            )
            #expect(try JSON(bad.errors)["error"]["id"].string == "provenance.bad-signature")
        }
    }

    @Test(arguments: [
        ["--statement", "provenance.json", "--key", "server.pem"],
        ["--statement", "provenance.json", "--ipa", "build.ipa"],
        ["browsey", "1.4.0", "--statement", "provenance.json"], ["browsey"], [],
    ])
    func `half a command line says what is missing`(words: [String]) async throws {
        try await Workplace.run { place in
            let outcome = try await place.ota(["releases", "verify"] + words)
            #expect(outcome.status == 64 && outcome.errors.contains("usage"), "\(outcome)")
        }
    }

    @Test(arguments: [
        ["--run-url", "not an address"], ["--builder", "urn:ota:mirror:browsey"],
        ["--repository", "https://h/a b"], ["--pipeline", String(repeating: "a", count: 501)],
    ])
    func `an origin that could not be signed as told is refused`(words: [String]) async throws {
        try await Workplace.run { place in
            let outcome = try await place.ota(["publish", "build.ipa"] + words)
            #expect(outcome.status == 64, "\(outcome)")
        }
    }
}
