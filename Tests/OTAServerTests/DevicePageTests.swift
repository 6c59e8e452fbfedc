import Bundles
import Foundation
import OTAServer
import PropertyLists
import Releases
import Store
import Testing

/// The install page of a device, and the links on it.
@Suite(.timeLimit(.minutes(10)))
struct DevicePageTests {
    private static let missing = "This build does not include this device yet"

    private static func publish(_ site: TestSite, for devices: TestTester..., build: String) throws
    {
        try TestSite.publish(
            Array("ipa \(build)".utf8),
            into: site.store,
            version: "2.0",
            build: build,
            for: devices.map(\.device),
        )
    }

    private static func settle() async throws {
        try await Task.sleep(for: .milliseconds(700))
    }

    @Test func `a damaged journal of installs takes nobody's page away`() async throws {
        try await TestSite.run { site in
            let ana = try TestTester(TestTester.ana, of: site)
            try ana.join(site)
            let folder = site.folder.appending(path: "store/installs")
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700],
            )
            let month = site.clock.now.formatted(.iso8601).prefix(7)
            try Data("{\"outcome\":\"of a later version\"}\n".utf8)
                .write(to: folder.appending(path: "\(month).jsonl"))
            try await Self.settle()
            let page = try await ana.get(site, "/apps/demo-co")
            #expect(page.status == 200)
            #expect(page.text.contains("itms-services"))
            // The damaged line is skipped, and reported by a verification.
            let problems = try site.store.verify(readingBlobs: false).problems
            #expect(problems.contains { "\($0)".contains("installs/\(month).jsonl") })
        }
    }

    @Test func `each visitor sees their own page, also a moment after another's`() async throws {
        try await TestSite.run { site in
            let ana = try TestTester(TestTester.ana, of: site)
            let ben = try TestTester(TestTester.ben, of: site)
            try ana.join(site)
            try ben.join(site, named: "Ben's iPhone")
            try Self.publish(site, for: ana, build: "1")
            try await Self.settle()
            for _ in 0..<3 {
                let hers = try await ana.get(site, "/apps/demo-co")
                #expect(hers.text.contains("Ana&#39;s iPhone"))
                #expect(hers.text.contains("itms-services"))
                let his = try await ben.get(site, "/apps/demo-co")
                #expect(his.text.contains("Ben&#39;s iPhone"))
                #expect(his.text.contains(Self.missing))
                #expect(!his.text.contains("itms-services"))
                let stranger = try await WireClient.get(
                    site,
                    "/apps/demo-co",
                    fields: ["User-Agent": TestTester.agent],
                )
                #expect(stranger.text.contains("Is this device enrolled?"))
                #expect(stranger.text.contains("itms-services"))
                for page in [hers, his, stranger] {
                    #expect(page.fields["cache-control"] == "private, no-store")
                    #expect(!page.text.contains("000A1B2C3D4E5F6"))
                }
                #expect(!stranger.text.contains("Ana") && !stranger.text.contains("Ben"))
            }
        }
    }

    @Test func `a path is one device's, and ends with it`() async throws {
        try await TestSite.run { site in
            let ana = try TestTester(TestTester.ana, of: site)
            try ana.join(site)
            try Self.publish(site, for: ana, build: "1")
            try await Self.settle()
            let open = try await WireClient.get(site, "/apps/demo-co").manifestPath(on: site)
            let hers = try await ana.get(site, "/apps/demo-co").manifestPath(on: site)
            #expect(hers != open)
            let manifest = try await WireClient.get(site, hers)
            #expect(manifest.status == 200)
            let list = try PropertyList(reading: manifest.body)
            let url = try #require(
                list["items"]?.array?.first?["assets"]?.array?.first?["url"]?.string
            )
            let archive = String(url.dropFirst(site.addresses.baseURL.rawValue.count))
            #expect(try await WireClient.get(site, archive).status == 200)
            let folder = hers.replacing("/manifest.plist", with: "")
            #expect(!archive.hasPrefix(folder), "what opens the IPA opens no manifest")
            try ana.disable(site)
            try await Self.settle()
            #expect(try await WireClient.get(site, hers).status == 403)
            #expect(try await WireClient.get(site, archive).status == 403)
            #expect(try await WireClient.get(site, open).status == 200)
            try site.store.changeDevices { try $0.forget(ana.device) }
            try await Self.settle()
            #expect(try await WireClient.get(site, archive).status == 403)
        }
    }

    @Test func `withdrawing and closing an app end the paths at once`() async throws {
        try await TestSite.run { site in
            let ana = try TestTester(TestTester.ana, of: site)
            try ana.join(site)
            try Self.publish(site, for: ana, build: "1")
            try await Self.settle()
            let open = try await WireClient.get(site, "/apps/demo-co").manifestPath(on: site)
            let hers = try await ana.get(site, "/apps/demo-co").manifestPath(on: site)
            try site.store.changeApp(site.release.bundleIdentifier) { $0.access = .enrolled }
            try await Self.settle()
            #expect(try await WireClient.get(site, open).status == 403, "made for nobody known")
            #expect(try await WireClient.get(site, hers).status == 200)
            _ = try site.store.changeRelease(
                ReleaseIdentifier(version: "2.0", build: "1"),
                of: site.release.bundleIdentifier,
            ) { $0.withdrawal = Release.Withdrawal(date: Date(), actor: "ada", reason: "Crashes") }
            try await Self.settle()
            #expect(try await WireClient.get(site, hers).status == 410)
        }
    }

    @Test func `the guide is on both ports`() async throws {
        try await TestSite.run { site in
            for isSecure in [true, false] {
                let page = try await WireClient.get(site, "/help", isSecure: isSecure)
                #expect(page.status == 200)
                #expect(page.text.contains("id=\"when-it-does-not-install\""))
            }
            #expect(
                try await WireClient.get(site, "/apps/demo-co").text.contains("href=\"/help\"")
            )
        }
    }
}
