import APIDocuments
import Access
import Cryptography
import Foundation
import Identifiers
import OTAServer
import Releases
import Store
import Testing

/// What installed copies of an app learn about newer builds.
@Suite(.timeLimit(.minutes(10)))
struct UpdateTests {
    private static let path = "/api/v1/apps/demo-co/update"

    private static func ask(
        _ site: TestSite,
        _ query: String,
        app: String = "demo-co",
        fields: [String: String] = [:],
    ) async throws -> APIResponse {
        APIResponse(
            try await WireClient.get(site, "/api/v1/apps/\(app)/update?\(query)", fields: fields)
        )
    }

    private static func answer(
        _ site: TestSite,
        _ query: String,
        app: String = "demo-co",
    ) async throws -> UpdateDocument {
        let answer = try await ask(site, query, app: app)
        #expect(answer.status == 200, "\(answer.wire.text)")
        return try answer.document(UpdateDocument.self)
    }

    @Test func `a copy hears of a newer build, and installs it by its link`() async throws {
        try await TestSite.run { site in
            for app in ["demo-co", "com.example.demo"] {
                let told = try await Self.answer(site, "version=1.1.9&build=99", app: app)
                #expect(told.channel == "stable")
                #expect(!told.mandatory)
                let update = try #require(told.update)
                #expect(update.version == "1.2.0")
                #expect(update.build == "34")
                #expect(update.size == site.archive.count)
                #expect(update.minimumOS == "15.0")
                #expect(update.page == site.addresses.baseURL.rawValue + "/apps/demo-co")
                let link = try #require(update.install)
                let start = try #require(link.firstRange(of: "url=")?.upperBound)
                let url = try #require(String(link[start...]).removingPercentEncoding)
                #expect(link.hasPrefix("itms-services://?action=download-manifest&url=https"))
                let manifest = try await WireClient.get(
                    site,
                    String(url.dropFirst(site.addresses.baseURL.rawValue.count)),
                )
                #expect(manifest.status == 200)
                #expect(manifest.text.contains("com.example.demo"))
            }
        }
    }

    @Test(arguments: [
        ("1.2.0", "33", true), ("1.2", "33", true), ("1.2.0", "34", false), ("1.2", "034", false),
        ("1.2.0", "35", false), ("1.10", "1", false), ("1.1.10", "35", true), ("0", "0", true),
        ("2", "1", false), ("1.2.0b1", "40", true),
    ])
    func `versions count before builds, and both as numbers`(
        version: String,
        build: String,
        isOld: Bool,
    ) async throws {
        try await TestSite.run { site in
            let told = try await Self.answer(site, "version=\(version)&build=\(build)")
            #expect((told.update != nil) == isOld)
        }
    }

    @Test func `a copy asks about its channel, and ended ones offer nothing`() async throws {
        try await TestSite.run { site in
            let beta = try #require(ChannelName("beta"))
            let pull = try #require(ChannelName("pr-7"))
            try TestSite.publish([1, 2, 3], into: site.store, version: "1.3.0", channel: beta)
            try TestSite.publish(
                [4, 5, 6],
                into: site.store,
                version: "1.4.0",
                channel: pull,
                until: site.clock.now.addingTimeInterval(60),
            )
            site.settle()
            let own = "version=1.2.0&build=34"
            #expect(try await Self.answer(site, own).update == nil)
            let told = try await Self.answer(site, own + "&channel=beta")
            #expect(told.update?.version == "1.3.0")
            #expect(told.update?.page.hasSuffix("/apps/demo-co?channel=beta") == true)
            let other = try await Self.answer(site, own + "&channel=pr-7")
            #expect(other.update?.version == "1.4.0")
            site.clock.advance(by: 61)
            site.settle()
            #expect(try await Self.answer(site, own + "&channel=pr-7").update == nil)
            let never = try await Self.ask(site, own + "&channel=never")
            #expect(never.status == 404)
            #expect(never.refusal == "request.not-found")
        }
    }

    @Test func `what cannot be installed is not offered`() async throws {
        try await TestSite.run { site in
            let old = "version=1.0&build=1"
            #expect(try await Self.answer(site, old).update != nil)
            let app = site.release.bundleIdentifier
            _ = try site.store.changeRelease(site.release.identifier, of: app) {
                $0.withdrawal = .init(date: site.clock.now, actor: "ada", reason: "broken")
            }
            site.settle()
            let told = try await Self.answer(site, old)
            #expect(told.update == nil)
            #expect(told.channel == "stable")
        }
    }

    @Test func `copies below the lowest version have to be updated`() async throws {
        try await TestSite.run { site in
            let app = site.release.bundleIdentifier
            try site.store.changeApp(app) { $0.minimumVersion = MinimumVersion("1.1-7") }
            site.settle()
            for (version, build, isMandatory) in [
                ("1.0", "9", true), ("1.1", "6", true), ("1.1.0", "7", false),
                ("1.1.1", "1", false),
            ] {
                let told = try await Self.answer(site, "version=\(version)&build=\(build)")
                #expect(told.minimumVersion == "1.1-7")
                #expect(told.mandatory == isMandatory, "\(version) \(build)")
                #expect(told.update != nil)
            }
            // A minimum version locks no one out if there is nothing newer.
            try site.store.changeApp(app) { $0.minimumVersion = MinimumVersion("9") }
            site.settle()
            let told = try await Self.answer(site, "version=1.2.0&build=34")
            #expect(told.update == nil && !told.mandatory)
        }
    }

    @Test func `an app that is closed is not there for strangers`() async throws {
        try await TestSite.run { site in
            let old = "version=1.0&build=1"
            #expect(try await Self.ask(site, old).status == 200)
            try site.store.changeApp(site.release.bundleIdentifier) { $0.access = .enrolled }
            site.settle()
            let closed = try await Self.ask(site, old)
            let absent = try await Self.ask(site, old, app: "nobody")
            #expect(closed.status == 404 && absent.status == 404)
            #expect(closed.wire.text == absent.wire.text)
            #expect(closed.wire.fields["etag"] == nil)
            // The copy on an approved device gets a link for that device.
            let ana = try TestTester(TestTester.ana, of: site)
            try ana.join(site, approved: false)
            site.settle()
            let cookie = ["Cookie": ana.cookie]
            #expect(try await Self.ask(site, old, fields: cookie).status == 404)
            try ana.approve(site)
            site.settle()
            let told = try await Self.ask(site, old, fields: cookie)
            #expect(try told.document(UpdateDocument.self).update?.install != nil)
            #expect(try await Self.ask(site, old).status == 404, "not from memory either")
        }
    }

    @Test func `a token that reads the app counts, and a wrong one is refused`() async throws {
        try await TestSite.run { site in
            try site.store.changeApp(site.release.bundleIdentifier) { $0.access = .enrolled }
            site.settle()
            let path = "/apps/demo-co/update?version=1.0&build=1"
            let reader = try APIClient.holding("read:com.example.demo", on: site)
            let told = try await reader.get(path)
            #expect(told.status == 200)
            let update = try #require(try told.document(UpdateDocument.self).update)
            #expect(update.version == "1.2.0")
            #expect(update.install == nil, "a link for no device would open nothing")
            let other = try APIClient.holding("read:com.example.other", on: site)
            #expect(try await other.get(path).status == 404)
            let guess = "ota_00000000_" + String(repeating: "0", count: 64)
            let refused = try await APIClient(site: site, secret: guess).get(path)
            #expect(refused.status == 401)
            #expect(refused.refusal == "token.none")
        }
    }

    @Test(arguments: [
        "", "version=1", "build=1", "version=&build=1", "version=1&build=1&build=2",
        "version=1&build=1&udid=0", "version=1%0A&build=1", "version=1&build=%F0%9F%98%80",
        "version=1&build=1&channel=Be%20ta",
        "version=1&build=" + String(repeating: "1", count: 65),
    ])
    func `a question that makes no sense is refused`(query: String) async throws {
        try await TestSite.run { site in
            let answer = try await Self.ask(site, query)
            #expect(answer.status == 400)
            #expect(answer.refusal == "request.malformed")
        }
    }

    @Test func `an answer says how long it lasts, and 304 says that it still does`() async throws {
        try await TestSite.run { site in
            let old = "version=1.0&build=1"
            let first = try await Self.ask(site, old)
            #expect(first.wire.fields["cache-control"] == "private, max-age=60")
            #expect(first.wire.fields["vary"] == "Authorization, Cookie")
            #expect(first.wire.fields["content-type"] == "application/json")
            let tag = try #require(first.wire.fields["etag"])
            // From memory and from the store.
            for _ in 0..<2 {
                let same = try await Self.ask(site, old, fields: ["If-None-Match": tag])
                #expect(same.status == 304)
                #expect(same.wire.fields["etag"] == tag)
                site.settle()
            }
            try TestSite.publish([1, 2, 3], into: site.store, version: "1.3.0")
            site.settle()
            let next = try await Self.ask(site, old, fields: ["If-None-Match": tag])
            #expect(next.status == 200)
            #expect(try next.document(UpdateDocument.self).update?.version == "1.3.0")
        }
    }

    @Test func `long notes are cut between characters`() async throws {
        try await TestSite.run { site in
            let app = site.release.bundleIdentifier
            _ = try site.store.changeRelease(site.release.identifier, of: app) {
                $0.notes = String(repeating: "\u{1F468}\u{200D}\u{1F469}", count: 1000)
            }
            site.settle()
            let notes = try #require(
                try await Self.answer(site, "version=1&build=1").update?.notes
            )
            #expect(notes.utf8.count <= UpdateDocument.notesLimit)
            #expect(notes.hasSuffix("\u{1F468}\u{200D}\u{1F469}\u{2026}"))
        }
    }
}
