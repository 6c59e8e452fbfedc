import Foundation
import Sample
import TestSupport
import Testing

/// `ota inspect`: code, signatures, entitlements and files.
@Suite(.timeLimit(.minutes(10)))
struct InspectTests {
    @Test func `inspect shows code, signature, entitlements and the largest files`() async throws {
        try await Workplace.run { place in
            try buildSelector(in: place)
            let build = try await place.json(
                "inspect",
                "selector.ipa",
                "--trusted-ca",
                "anchor.pem",
            )
            let slice = try #require(build["slices"].items.first)
            #expect(
                slice.keys == ["architecture", "platform", "minimumOS", "sdk", "size", "encrypted"]
            )
            #expect(slice["architecture"].string == "arm64")
            #expect(slice["encrypted"].boolean == false)
            let signature = build["signature"]
            #expect(
                signature.keys == [
                    "path", "identifier", "team", "codeHash", "hash", "intact", "signers",
                ]
            )
            #expect(signature["intact"].boolean == true)
            #expect(signature["hash"].string == "sha256")
            #expect(signature["codeHash"].string?.count == 40)
            #expect(signature["signers"].items.count == 3)
            let entitlements = build["entitlements"].items
            #expect(entitlements.allSatisfy { $0.keys == ["key", "claimed", "granted"] })
            let browser = try #require(
                entitlements.first { $0["key"].string == "com.apple.developer.web-browser" }
            )
            #expect(browser["claimed"].string == "true")
            #expect(browser["granted"] == .null)
            let files = build["files"].items
            #expect(!files.isEmpty && files.count <= 10)
            #expect(files.allSatisfy { $0.keys == ["path", "size", "compressedSize"] })
            let sizes = files.compactMap(\.["size"].number)
            #expect(sizes == sizes.sorted(by: >))
            #expect(build["contents"]["files"].number ?? 0 >= files.count)
        }
    }

    @Test func `text is a tree, and marks what is not granted`() async throws {
        try await Workplace.run { place in
            try buildSelector(in: place)
            let text = try await place.ota("inspect", "selector.ipa", "--trusted-ca", "anchor.pem")
                .output
            let lines = text.split(separator: "\n").map(String.init)
            #expect(lines.contains { $0.hasPrefix("Payload/BrowserSelector.app  app ") })
            let browser = try #require(lines.first { $0.contains("not granted") })
            #expect(browser.contains("true"))
            #expect(lines.contains { $0.hasPrefix("SIZE ") })
            #expect(lines.contains { $0.hasPrefix("  signature   intact") })
            let entitlements = lines.drop { !$0.contains("ENTITLEMENT") }.prefix {
                $0.hasPrefix(" ")
            }
            #expect(entitlements.count > 2)
            #expect(entitlements.allSatisfy { $0.count <= 80 })

            try SampleApps.forks(by: place.authority, at: Date()).editing { $0.app.hasIcon = false }
                .build(to: place.path("forks.ipa"))
            let forks = try await place.ota("inspect", "forks.ipa", "--trusted-ca", "anchor.pem")
                .output
            #expect(forks.contains("\n├─ Frameworks/ForksCore.framework"))
            #expect(forks.contains("\n└─ Watch/ForksWatch.app"))
            #expect(forks.contains("\n   └─ PlugIns/ForksComplication.appex"))
        }
    }

    @Test func `an unsigned build is shown for what it is`() async throws {
        try await Workplace.run { place in
            try place.build { $0.unsigned() }
            let build = try await place.json("inspect", "build.ipa", "--trusted-ca", "anchor.pem")
            #expect(build["signature"]["identifier"] == .null)
            #expect(build["signature"]["signers"].items.isEmpty)
            let text = try await place.ota("inspect", "build.ipa", "--trusted-ca", "anchor.pem")
                .output
            #expect(text.contains("missing or unreadable"))
        }
    }

    /// Makes a build that claims an entitlement which its profile does not grant.
    private func buildSelector(in place: Workplace) throws {
        try SampleApps.browserSelector(by: place.authority, at: Date())
            .editingProfile { $0.withheld = ["com.apple.developer.web-browser"] }
            .editing { $0.app.hasIcon = false }
            .build(to: place.path("selector.ipa"))
    }
}
