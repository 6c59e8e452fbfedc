import Cryptography
import Foundation
import Sample
import TestSupport
import Testing

/// What happens to the store when something goes wrong, seen from the command line.
@Suite(.timeLimit(.minutes(10)))
struct StoreCommandTests {
    @Test(arguments: [
        ["apps", "add", "com.example.app", "--team", "ABCDE12345"],
        ["devices", "add", "00008120-000A1B2C3D4E5F67", "--model", "phone"],
        ["profiles", "add", "anchor.pem"],
        ["webhooks", "add", "http://127.0.0.1:1/", "--kind", "json"],
    ])
    func `a command that fails on a new path leaves no store there`(
        _ arguments: [String]
    )
        async throws
    {
        try await Workplace.run { place in
            let outcome = try await place.ota(arguments)
            #expect(outcome.status == 1, "\(outcome.output)")
            #expect(!FileManager.default.fileExists(atPath: place.path("ota-store")))
            // Changes by others are kept.
            _ = try await place.json("devices", "add", "00008120-000A1B2C3D4E5F68")
            #expect(try await place.ota(arguments).status == 1)
            #expect(try await place.json("devices", "list")["devices"].items.count == 1)
        }
    }

    @Test func `a broken document is named, left alone, and repaired from before`() async throws {
        try await Workplace.run { place in
            let udids = SampleDevices.list(3)
            for udid in udids { _ = try await place.json("devices", "add", udid) }
            let whole = try place.bytes("ota-store/devices.json")
            let broken = "{ \"devices\": [ this is no JSON"
            try place.write(broken, to: "ota-store/devices.json")

            let listed = try await place.refusal("devices", "list")
            #expect(listed["id"].string == "store.unreadable")
            #expect(listed["place"].string?.contains("devices.json") == true)
            #expect(listed["fix"].string?.contains("store restore --document") == true)
            let added = try await place.refusal("devices", "add", SampleDevices.unlisted)
            #expect(added["id"].string == "store.unreadable")
            #expect(try place.bytes("ota-store/devices.json") == Array(broken.utf8))

            _ = try await place.json("store", "restore", "--document", "devices.json")
            let repaired = try await place.json("devices", "list")
            #expect((2...3).contains(repaired["devices"].items.count))
            #expect(whole.count > 0)
        }
    }

    @Test func `what a restore of a document undoes is kept, and brought back by --undone`()
        async throws
    {
        try await Workplace.run { place in
            for udid in SampleDevices.list(2) { _ = try await place.json("devices", "add", udid) }
            let step = ["store", "restore", "--document", "devices.json"]
            let nothing = try await place.refusal(
                "store",
                "restore",
                "--document",
                "devices.json",
                "--undone",
            )
            #expect(nothing["id"].string == "store.nothing-undone")
            let latest = try place.bytes("ota-store/devices.json")
            let back = try await place.ota(step)
            #expect(back.output.contains("store restore --document devices.json --undone"))
            #expect(try await place.json("devices", "list")["devices"].items.count == 1)
            // Running the same command again undoes nothing more, and says so.
            let again = try await place.json(step)
            #expect(again["undoneKept"].boolean == true && again["changed"].boolean == false)
            #expect(
                try await place.ota(step).output.hasPrefix("Nothing to restore: the last change")
            )
            _ = try await place.json(step + ["--undone"])
            #expect(try place.bytes("ota-store/devices.json") == latest)
            #expect(try await place.json("store", "verify")["problems"].items.isEmpty)
            // Both directions remain possible.
            _ = try await place.json(step)
            #expect(try await place.json("devices", "list")["devices"].items.count == 1)
            _ = try await place.json(["devices", "remove", SampleDevices.list(1)[0], "--forget"])
            #expect(!place.isThere("ota-store/devices.json@undone"))
        }
    }

    @Test func `a copied document has no earlier version, and a restore does not claim one`()
        async throws
    {
        try await Workplace.run { place in
            for udid in SampleDevices.list(2) { _ = try await place.json("devices", "add", udid) }
            _ = try await place.json("store", "copy", "ota-store", "copy")
            let before = try place.bytes("copy/devices.json")
            let step = ["store", "restore", "--document", "devices.json", "--store", "copy"]
            let outcome = try await place.ota(step)
            #expect(outcome.status == 0)
            #expect(!outcome.output.contains("Restored"), "\(outcome)")
            #expect(outcome.output.contains("is the same as the current one"), "\(outcome)")
            let json = try await place.json(step)
            #expect(json["changed"].boolean == false && json["undoneKept"].boolean == false)
            #expect(try place.bytes("copy/devices.json") == before)
        }
    }

    @Test func `an interrupted copy is called one, and only its own source completes it`()
        async throws
    {
        try await Workplace.run { place in
            _ = try await place.json("devices", "add", SampleDevices.unlisted)
            _ = try await place.json("store", "copy", "ota-store", "clone")
            // What a copy leaves that ends before its last steps.
            let settings = try JSON(
                String(decoding: place.bytes("ota-store/store.json"), as: UTF8.self)
            )
            let instance = try #require(settings["instance"].string)
            let source = place.path("ota-store")
            try FileManager.default.createDirectory(
                atPath: place.path("copy"),
                withIntermediateDirectories: true,
            )
            try place.write(
                #"{"instance":"\#(instance)","schema":1,"source":"\#(source)"}"#,
                to: "copy/copy.json",
            )
            for command in [["apps", "list"], ["devices", "add", SampleDevices.unlisted]] {
                let refused = try await place.refusal(command + ["--store", "copy"])
                #expect(refused["id"].string == "store.unfinished-copy")
                let fix = "ota store copy \(source) \(place.path("copy"))"
                #expect(refused["fix"].string?.contains(fix) == true, "\(refused)")
            }
            let other = try await place.refusal("store", "copy", "clone", "copy")
            #expect(other["id"].string == "store.other-copy")
            _ = try await place.json("store", "copy", "ota-store", "copy")
            #expect(
                try await place.json("devices", "list", "--store", "copy")["devices"].items.count
                    == 1
            )
        }
    }

    @Test func `a register of which nothing is left begins empty only when it is told to`()
        async throws
    {
        try await Workplace.run { place in
            _ = try await place.json("devices", "add", SampleDevices.unlisted)
            let present = try await place.refusal(
                "store",
                "restore",
                "--document",
                "devices.json",
                "--empty",
            )
            #expect(present["id"].string == "store.present")
            for file in ["devices.json", "devices.json@previous"] {
                try FileManager.default.removeItem(atPath: place.path("ota-store/" + file))
            }
            let lost = try await place.refusal("devices", "list")
            #expect(lost["id"].string == "store.lost-document")
            let gone = try await place.refusal("store", "restore", "--document", "devices.json")
            #expect(gone["id"].string == "store.no-earlier-generation")
            #expect(gone["fix"].string?.contains("--empty") == true)
            let begun = try await place.json(
                "store",
                "restore",
                "--document",
                "devices.json",
                "--empty",
            )
            #expect(begun["empty"].boolean == true)
            #expect(try await place.json("devices", "list")["devices"].items.isEmpty)
        }
    }

    @Test func `a backup lies in no store and replaces no folder`() async throws {
        try await Workplace.run { place in
            _ = try await place.json("devices", "add", SampleDevices.unlisted)
            for file in ["ota-store/backup.tar", "ota-store/keys/backup.tar", ".", ""] {
                let refused = try await place.refusal("store", "backup", file)
                #expect(refused["id"].string == "backup.place", "\(file)")
            }
            _ = try await place.json("store", "backup", "backup.tar")
        }
    }

    @Test func `damage to the bytes is found`() async throws {
        try await Workplace.run { place in
            try place.build()
            let published = try await place.json(
                "publish",
                "build.ipa",
                "--trusted-ca",
                "anchor.pem",
            )
            let good = try await place.json("store", "verify")
            #expect(good["problems"].items.isEmpty)
            #expect(good["releases"].number == 1)
            let digest = try #require(published["sha256"].string)
            let blob = "ota-store/blobs/sha256/\(digest.prefix(2))/\(digest)"
            var bytes = try place.bytes(blob)
            bytes[bytes.count / 2] ^= 1
            try FileManager.default.removeItem(atPath: place.path(blob))
            try Data(bytes).write(to: URL(filePath: place.path(blob)))
            let bad = try await place.json("store", "verify", status: 1)
            #expect(bad["problems"].items.count == 1)
            try FileManager.default.removeItem(atPath: place.path(blob))
            let missing = try await place.json("store", "verify", "--quick", status: 1)
            #expect(missing["problems"].items.count == 1)
        }
    }

    @Test func `a damaged store is backed up as far as it is whole, with status 1`() async throws {
        try await Workplace.run { place in
            try place.build()
            let published = try await place.json(
                "publish",
                "build.ipa",
                "--trusted-ca",
                "anchor.pem",
            )
            _ = try await place.json("devices", "add", SampleDevices.one)
            let digest = try #require(published["sha256"].string)
            try place.write(
                "rotten",
                to: "ota-store/blobs/sha256/\(digest.prefix(2))/\(digest)",
            )
            let backup = try await place.json("store", "backup", "backup.tar", status: 1)
            #expect(backup["problems"].items.map { $0["id"].string } == ["store.damaged-blob"])
            let copy = try await place.json("store", "restore", "backup.tar", "--store", "copy")
            #expect(copy["problems"].items.count == 1)
            let devices = try await place.json("devices", "list", "--store", "copy")
            #expect(devices["devices"].items.count == 1)
            let verified = try await place.json("store", "verify", "--store", "copy", status: 1)
            #expect(verified["problems"].items.map { $0["id"].string } == ["store.missing-blob"])
        }
    }

    @Test func `a backup of a later version is refused, and may be tried again`() async throws {
        try await Workplace.run { place in
            _ = try await place.json("devices", "add", SampleDevices.one)
            let whole = try place.bytes("ota-store/store.json")
            let text = String(decoding: whole, as: UTF8.self)
            _ = try await place.json("store", "backup", "good.tar")
            let later = text.replacing("\"schema\" : 1", with: "\"schema\" : 2")
            #expect(later != text)
            // The backup of a later version has that version's store.json and its digest.
            let digests = [SHA256Digest(of: Array(text.utf8)), SHA256Digest(of: Array(later.utf8))]
            var backup = String(decoding: try place.bytes("good.tar"), as: UTF8.self)
            backup = backup.replacing(text, with: later)
                .replacing("\(digests[0])", with: "\(digests[1])")
            try place.write(backup, to: "later.tar")
            for file in ["later.tar", "wrong.tar"] {
                if file == "wrong.tar" { try place.write("no backup", to: file) }
                let refused = try await place.refusal("store", "restore", file, "--store", "copy")
                #expect(
                    refused["id"].string
                        == (file == "later.tar" ? "store.newer-schema" : "store.bad-backup")
                )
            }
            _ = try await place.json("store", "restore", "good.tar", "--store", "copy")
            // A restore that was killed can be started again too.
            try FileManager.default.createDirectory(
                atPath: place.path("killed"),
                withIntermediateDirectories: false,
            )
            try place.write("", to: "killed/restore.lock")
            try place.write("{", to: "killed/devices.json")
            let opened = try await place.refusal("devices", "list", "--store", "killed")
            #expect(opened["id"].string == "store.unfinished-restore")
            _ = try await place.json("store", "restore", "good.tar", "--store", "killed")
            let verified = try await place.json("store", "verify", "--store", "killed")
            #expect(verified["problems"].items.isEmpty)
        }
    }

    @Test func `a damaged key signs nothing, and verify names it`() async throws {
        try await Workplace.run { place in
            try place.build()
            _ = try await place.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
            let path = "ota-store/keys/provenance.pem"
            let lines = String(decoding: try place.bytes(path), as: UTF8.self)
                .split(separator: "\n").map(String.init)
            var der = try #require(Data(base64Encoded: lines[1..<lines.count - 1].joined()))
            // The byte is inside the private scalar: the key can still be parsed.
            der[40] ^= 1
            try FileManager.default.removeItem(atPath: place.path(path))
            let damaged = [lines[0], der.base64EncodedString(), lines[lines.count - 1], ""]
            try place.write(damaged.joined(separator: "\n"), to: path)
            let verified = try await place.json("store", "verify", status: 1)
            let places = verified["problems"].items.compactMap { $0["place"].string }
            #expect(places.contains("keys/provenance.pem"))
            try place.build("next.ipa") { $0.version("2.0", build: "1") }
            let refused = try await place.refusal(
                "publish",
                "next.ipa",
                "--trusted-ca",
                "anchor.pem",
            )
            #expect(refused["id"].string == "store.unreadable")
            #expect(refused["place"].string == "keys/provenance.pem")
        }
    }

    @Test func `every document that cannot be read is named`() async throws {
        try await Workplace.run { place in
            try place.build()
            _ = try await place.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
            let files = [
                "tokens.json", "invitations.json", "webhooks.json", "notices.json",
                "mirrors.json", "slugs.json", "profiles.json", "devices.json",
                "following/browsey.json", "runs/browsey/000001.json", "keys/session.key",
                "keys/mirror-browsey.json", "incoming/0123456789abcdef.json",
            ]
            for file in files {
                let url = URL(filePath: place.path("ota-store/" + file))
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(),
                    withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700],
                )
                try? FileManager.default.removeItem(at: url)
                #expect(
                    FileManager.default.createFile(
                        atPath: url.path(),
                        contents: Data("{\"schema\": 1, \"x\": ]".utf8),
                        attributes: [.posixPermissions: 0o600],
                    )
                )
            }
            let found = try await place.json("store", "verify", status: 1)
            let places = found["problems"].items.compactMap { $0["place"].string }
            for file in files { #expect(places.contains { $0.hasSuffix(file) }, "\(file)") }
            #expect(Set(places).count == places.count, "each once")
        }
    }

    @Test func `a backup comes back whole, and only into an empty folder`() async throws {
        try await Workplace.run { place in
            try place.build()
            _ = try await place.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
            _ = try await place.json("devices", "add", SampleDevices.one)
            _ = try await place.json("store", "backup", "backup.tar")
            let occupied = try await place.refusal("store", "restore", "backup.tar")
            #expect(occupied["id"].string == "store.not-empty")
            _ = try await place.json("store", "restore", "backup.tar", "--store", "copy")
            let list = try await place.json("releases", "list", "--store", "copy")
            #expect(list["releases"].items.count == 1)
            let devices = try await place.json("devices", "list", "--store", "copy")
            #expect(devices["devices"].items.count == 1)
            try place.write("no backup at all", to: "wrong.tar")
            let wrong = try await place.refusal(
                "store",
                "restore",
                "wrong.tar",
                "--store",
                "third",
            )
            #expect(wrong["id"].string == "store.bad-backup")
        }
    }

    @Test(.enabled(if: Disk.mayBeMounted, "mounting a small file system takes root"))
    func `a full disk and a read-only disk are named, and keep what was there`() async throws {
        try await Workplace.run { place in
            try await Disk.mounted(in: place.folder, size: "3m") { disk in
                let store = disk.path()
                try place.build()
                _ = try await place.json(
                    "publish",
                    "build.ipa",
                    "--trusted-ca",
                    "anchor.pem",
                    "--store",
                    store,
                )
                try place.build("large.ipa") {
                    $0.version("2.0", build: "1").resource(.noise("Media.mov", count: 5 << 20))
                }
                let full = try await place.refusal("publish", "large.ipa", "--store", store)
                #expect(full["id"].string == "store.no-space")
                let kept = try await place.json("store", "verify", "--store", store)
                #expect(kept["problems"].items.isEmpty)
                #expect(kept["releases"].number == 1)

                try await Disk.remount(disk, "ro")
                let refused = try await place.refusal(
                    "devices",
                    "add",
                    SampleDevices.one,
                    "--store",
                    store,
                )
                #expect(refused["id"].string == "store.read-only")
                let list = try await place.json("releases", "list", "--store", store)
                #expect(list["releases"].items.count == 1)
            }
        }
    }
}
