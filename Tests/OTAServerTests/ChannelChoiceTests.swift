import Foundation
import Identifiers
import Releases
import Store
import Testing

/// The channels and builds that testers are offered in addition to the shown one.
@Suite(.timeLimit(.minutes(10)))
struct ChannelChoiceTests {
    private static func publish(
        _ version: String,
        _ channel: String,
        until end: Date? = nil,
        in site: TestSite,
    ) throws -> Release {
        try TestSite.publish(
            Array(version.utf8),
            into: site.store,
            version: version,
            build: "40",
            channel: #require(ChannelName(channel)),
            until: end,
        )
    }

    private static func withdraw(_ release: Release, in site: TestSite) throws {
        _ = try site.store.changeRelease(release.identifier, of: release.bundleIdentifier) {
            $0.withdrawal = .init(date: Date(), actor: "test", reason: "it eats data")
        }
        site.settle()
    }

    @Test func `a tester chooses between the channels that last`() async throws {
        try await TestSite.run { site in
            let path = "/apps/demo-co"
            #expect(!(try await WireClient.get(site, path).text.contains("class=\"channels\"")))
            let beta = try Self.publish("1.3.0", "beta", in: site)
            let soon = site.clock.now + 3600
            _ = try Self.publish("1.2.9", "pr-7", until: soon, in: site)
            site.settle()
            let stable = try await WireClient.get(site, path).text
            #expect(stable.contains("aria-current=\"page\"><b>stable</b> <span>1.2.0</span>"))
            #expect(stable.contains("/apps/demo-co?channel=beta\"><b>beta</b> <span>1.3.0</span>"))
            #expect(!stable.contains("pr-7"), "what ends soon is not offered to everyone")
            let other = try await WireClient.get(site, path + "?channel=beta").text
            #expect(other.contains("aria-current=\"page\"><b>beta</b>"))
            try Self.withdraw(beta, in: site)
            let alone = try await WireClient.get(site, path).text
            #expect(!alone.contains("class=\"channels\""))
        }
    }

    @Test func `the start page offers the build before a withdrawn one`() async throws {
        try await TestSite.run { site in
            let newest = try Self.publish("1.3.0", "stable", in: site)
            site.settle()
            #expect(try await WireClient.get(site, "/").text.contains("1.3.0"))
            try Self.withdraw(newest, in: site)
            let start = try await WireClient.get(site, "/").text
            #expect(start.contains("1.2.0") && !start.contains("1.3.0"))
            #expect(start.contains("/apps/demo-co/\(site.release.identifier)\""))
            try Self.withdraw(site.release, in: site)
            #expect(!(try await WireClient.get(site, "/").text.contains("demo-co")))
        }
    }
}
