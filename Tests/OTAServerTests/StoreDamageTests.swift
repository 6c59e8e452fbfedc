import Access
import Bundles
import Cryptography
import Enrolment
import Foundation
import HTTPServing
import Identifiers
import Releases
import Sample
import Store
import TestSupport
import Testing

@testable import OTAServer

/// The responses of a server whose store is damaged, missing or gone: it refuses only what needs the damaged
/// part, and never claims that something ended which did not.
struct StoreDamageTests {
    private static let app = "/store/apps/com.example.demo/app.json"

    @Test func `a lost app is neither absent nor open`() async throws {
        try await TestSite.run { site in
            try site.store.changeApp(site.release.bundleIdentifier) { $0.access = .enrolled }
            try FileManager.default.removeItem(atPath: site.folder.path() + Self.app)
            try await seen()
            #expect(try await WireClient.get(site, "/apps/demo-co").status == 503)
            #expect(throws: StoreFailure.self) {
                try TestSite.publish([1, 2, 3], into: site.store, version: "1.3.0")
            }
            #expect(try await WireClient.get(site, "/apps/demo-co").status == 503)
            #expect(try await WireClient.get(site, "/").status == 200)
            try site.store.restorePrevious("apps/com.example.demo/app.json")
            #expect(try await WireClient.get(site, "/apps/demo-co").status == 403)
        }
    }

    @Test func `an app that cannot be read is named, and the start page goes on`() async throws {
        try await TestSite.run(configure: { configuration, _ in
            configuration.scrub.interval = .milliseconds(20)
        }) { site in
            let admin = try await AdminClient.admin(site)
            try Data().write(to: URL(filePath: site.folder.path() + Self.app))
            // Bytes that are corrupted in place change no folder, and are noticed when they are next read.
            site.settle()
            #expect(try await WireClient.get(site, "/").status == 200)
            #expect(try await WireClient.get(site, "/apps/nothing").status == 404)
            #expect(try await WireClient.get(site, "/apps/demo-co").status == 503)
            try await until { try await WireClient.get(site, "/readyz").text.contains("damaged") }
            #expect(try await WireClient.get(site, "/readyz").status == 200)
            let dashboard = try await admin.get("/admin")
            #expect(dashboard.status == 200)
            #expect(dashboard.text.contains("apps/com.example.demo/app.json"))
            let token = try AdminClient.token(in: site.store)
            let fields = ["Authorization": "Bearer \(token)"]
            let apps = try await WireClient.get(site, "/api/v1/apps", fields: fields)
            #expect(apps.status == 200 && apps.text.contains("\"unreadable\""))
            #expect(apps.text.contains("store.unreadable"))
        }
    }

    @Test(arguments: ["devices.json", "profiles.json"])
    func `a page that needs a damaged register says which`(file: String) async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            try site.store.changeDevices { _ in }
            try site.store.changeProfiles { _ in }
            try Data("{".utf8).write(to: URL(filePath: site.folder.path() + "/store/" + file))
            try await seen()
            let path = file == "devices.json" ? "/admin/devices" : "/admin/profiles"
            let page = try await admin.get(path)
            #expect(page.status == 503 && page.text.contains(file))
            #expect(try await admin.get("/admin/tokens").status == 200)
            #expect(try await WireClient.get(site, "/apps/demo-co").status == 200)
        }
    }

    @Test(arguments: [(AppRecord.Access.open, 200), (.enrolled, 503)])
    func `a damaged register closes only the apps that ask it who may come in`(
        access: AppRecord.Access,
        status: Int,
    ) async throws {
        try await TestSite.enrolling { site in
            let app = try #require(BundleIdentifier("com.example.demo"))
            let issued = try site.invite(app: app)
            let path = "/enrol/\(issued.token.text)"
            let device = try SampleDevice(certifiedBy: TestSite.deviceAuthority.get())
            let challenge = try await site.challenge(path)
            let posted = try await site.post(path, device.answer(challenge: challenge))
            let arrived = try await WireClient.get(site, posted.location())
            let cookie = try #require(arrived.fields["set-cookie"]).prefix { $0 != ";" }
            try site.store.changeApp(app) { $0.access = access }
            try Data("{".utf8).write(
                to: URL(filePath: site.folder.path() + "/store/devices.json")
            )
            try await seen()
            let page = try await WireClient.get(
                site,
                "/apps/demo-co",
                fields: ["Cookie": String(cookie)],
            )
            #expect(page.status == status)
        }
    }

    @Test(arguments: ["moved away", "emptied"])
    func `a store whose disk is gone ends nothing`(how: String) async throws {
        try await TestSite.run { site in
            let path = try await InstallPath.follow(site)
            let token = try AdminClient.token(in: site.store)
            let root = site.folder.path() + "/store"
            try FileManager.default.moveItem(atPath: root, toPath: root + "-away")
            if how == "emptied" {
                try FileManager.default.createDirectory(
                    atPath: root,
                    withIntermediateDirectories: false,
                )
            }
            try await seen()
            let fields = ["Authorization": "Bearer \(token)"]
            for path in [
                "/", "/apps/demo-co", path.archive, path.folder + "/manifest.plist", "/readyz",
                "/api/v1/apps", "/api/v1/devices",
            ] {
                let answer = try await WireClient.get(site, path, fields: fields)
                #expect(answer.status == 503, "\(path)")
            }
            if how == "emptied" { try FileManager.default.removeItem(atPath: root) }
            try FileManager.default.moveItem(atPath: root + "-away", toPath: root)
            try await seen()
            #expect(try await WireClient.get(site, path.archive).status == 200)
        }
    }

    @Test func `rotten bytes are given to nobody, and named`() async throws {
        try await TestSite.run(configure: { configuration, _ in
            configuration.scrub.interval = .milliseconds(20)
        }) { site in
            let admin = try await AdminClient.admin(site)
            let path = try await InstallPath.follow(site)
            let blob = try #require(try site.store.backend.open(site.release.sha256).path)
            try flip(blob)
            try await seen()
            for fields in [[:], ["Range": "bytes=0-99"]] {
                #expect(try await WireClient.get(site, path.archive, fields: fields).status == 503)
            }
            let manifest = path.folder + "/manifest.plist"
            #expect(try await WireClient.get(site, manifest).status == 503)
            let page = try await WireClient.get(site, "/apps/demo-co")
            #expect(page.status == 503 && !page.text.contains("itms-services"))
            try await until {
                try await site.metrics().contains("ota_blobs_damaged 1\n")
            }
            #expect(try await admin.get("/admin").text.contains(site.release.sha256.description))
            // Publishing it again restores the bytes.
            try site.store.put(site.archive)
            try await seen()
            #expect(try await WireClient.get(site, path.archive).status == 200)
            #expect(try await WireClient.get(site, "/apps/demo-co").status == 200)
            try await until {
                try await site.metrics().contains("ota_blobs_damaged 0\n")
            }
        }
    }

    @Test func `a download whose file is cut meanwhile breaks off, and the log says so`()
        async throws
    {
        try await TestSite.run { site in
            let bytes = [UInt8](repeating: 7, count: 32 << 20)
            let release = try TestSite.publish(bytes, into: site.store, version: "1.3.0")
            site.settle()
            let path = try await InstallPath.follow(site)
            let blob = try #require(try site.store.backend.open(release.sha256).path)
            try await WireClient.secure(site) { client in
                _ = try await client.request("GET", "/healthz")
                try await client.stall()
                try await client.send("GET \(path.archive) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                try await until {
                    try await site.metrics().contains("ota_downloads_running 1\n")
                }
                try FileHandle(forWritingTo: URL(filePath: blob)).truncate(atOffset: 1)
                try await client.goOn()
                #expect(await client.rest().count < bytes.count)
            }
            #expect(try await site.logText().contains("a download broke off"))
        }
    }

    @Test func `a large blob is proven in the background`() async throws {
        try await TestSite.run(configure: { configuration, folder in
            configuration.scrub.provenAtOnce = 0
            configuration.scrub.interval = .milliseconds(20)
            let store = try OTAStore.open(at: folder.path() + "/store")
            let release = try #require(
                try store.releases(of: store.apps()[0].bundleIdentifier).first
            )
            try flip(#require(try store.open(release.sha256).path))
        }) { site in
            try await until { try await WireClient.get(site, "/apps/demo-co").status == 503 }
            #expect(try await WireClient.get(site, "/").status == 200)
        }
    }

    @Test func `a large blob whose file changes is proven anew`() async throws {
        try await TestSite.run(configure: { configuration, _ in
            configuration.scrub.provenAtOnce = 0
            configuration.scrub.interval = .milliseconds(20)
        }) { site in
            let count = try site.store.backend.blobs().count
            try await until {
                try await site.metrics().contains("ota_blobs_checked_total \(count)\n")
            }
            #expect(try await WireClient.get(site, "/apps/demo-co").status == 200)
            try flip(#require(try site.store.backend.open(site.release.sha256).path))
            try await until { try await WireClient.get(site, "/apps/demo-co").status == 503 }
        }
    }

    @Test(arguments: ["anchors", "capability.key", "development-authority.pem"])
    func `a start that cannot succeed ends with the reason`(what: String) async throws {
        let failure = await #expect(throws: StoreFailure.self) {
            try await TestSite.run(configure: { _, folder in
                let root = folder.path() + "/store"
                let store = try OTAStore.open(at: root)
                if what == "anchors" {
                    try store.changeSettings { $0.anchors = ["-----BEGIN CERTIFICATE-----\nAA"] }
                    return
                }
                _ = try store.capabilityKey()
                _ = try DevelopmentAuthority.kept(in: store, at: Date())
                let file = root + "/keys/" + what
                let text = try String(contentsOfFile: file, encoding: .utf8)
                try Data(text.replacing("a", with: "!").utf8).write(to: URL(filePath: file))
            }) { _ in
                Issue.record("the server began")
            }
        }
        let place = what == "anchors" ? "store.json" : "keys/" + what
        #expect(failure?.place == place && failure?.fix.isEmpty == false)
    }

    @Test func `the server's own certificate lasts over starts`() async throws {
        try await withTemporaryFolder { folder in
            let store = try OTAStore.openOrCreate(at: folder.path() + "/store", now: Date())
            let now = Date()
            let day = 86_400.0
            func leaf(_ names: [String], at date: Date) throws -> Certificate {
                let authority = try DevelopmentAuthority.kept(in: store, at: date)
                let identity = try authority.keptIdentity(for: names, in: store, at: date)
                #expect(identity.key.matches(identity.chain[0]))
                return identity.chain[0]
            }
            let first = try leaf(["a.example", "10.0.0.1"], at: now)
            #expect(try leaf(["a.example", "10.0.0.1"], at: now + day) == first)
            #expect(try leaf(["a.example"], at: now + 300 * day) == first)
            // The certificate is renewed before it expires, for a missing name, and after a clock jump.
            let renewed = try leaf(["a.example"], at: now + 380 * day)
            #expect(renewed != first && renewed.notAfter > now + 700 * day)
            let early = try leaf(["a.example"], at: now)
            #expect(early != renewed)
            #expect(try leaf(["b.example"], at: now) != early)
            #expect(try store.verify().problems.isEmpty)
        }
    }

    // MARK: Parts

    private func flip(_ path: String) throws {
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(filePath: path))
    }

    /// Waits until what is in memory is checked again.
    private func seen() async throws {
        try await Task.sleep(for: .milliseconds(750))
    }

    private func until(_ condition: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while try await !condition() {
            try #require(ContinuousClock.now < deadline)
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
