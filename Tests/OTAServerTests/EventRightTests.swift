import APIDocuments
import Access
import Administration
import Bundles
import Cryptography
import Foundation
import Identifiers
import NIOCore
import OTAServer
import Releases
import Store
import Testing

/// An event stream ends when the right to it ends, not only with its connection.
@Suite(.timeLimit(.minutes(10)))
struct EventRightTests {
    /// Listens until the server ends the stream because `body` withdraws the right to it.
    ///
    /// - Returns: what was received after the last permitted event.
    private static func heard(
        _ site: TestSite,
        _ path: String,
        _ fields: [String: String],
        endingRight body: () async throws -> Void,
    ) async throws -> String {
        try await WireClient.secure(site) { client in
            var head = "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            for (name, value) in fields { head += "\(name): \(value)\r\n" }
            try await client.send(head + "\r\n")
            #expect(try await client.responseHead().status == 200)
            while !String(decoding: client.buffer.readableBytesView, as: UTF8.self)
                .contains(": still here")
            {
                guard await client.more() else {
                    Issue.record("the stream ended while the right was there")
                    return ""
                }
            }
            let known = client.buffer.readableBytes
            try await body()
            try site.store.record(
                Activity(date: Date(), actor: "x", event: .deviceAdded, subject: "Later's iPad")
            )
            return String(decoding: await client.rest().dropFirst(known), as: UTF8.self)
        }
    }

    private static func erase(_ tester: TestTester, on site: TestSite) throws {
        let admin = Administrator(of: site.store, named: "admin", clock: { Date() })
        _ = try admin.remove(tester.device, erasing: true)
    }

    private static func site(
        _ body: @Sendable @escaping (TestSite) async throws -> Void
    ) async throws {
        try await TestSite.run(configure: { configuration, _ in
            configuration.eventBeat = .milliseconds(100)
        }) { try await body($0) }
    }

    @Test func `an admin who has signed out hears nothing more`() async throws {
        try await Self.site { site in
            let admin = try await AdminClient.admin(site)
            let other = try await AdminClient.admin(site)
            let cookie = ["Cookie": "__Host-ota_admin=\(admin.cookie)"]
            let heard = try await Self.heard(site, "/events", cookie) {
                let answer = try await admin.send("/admin/sign-out")
                #expect(answer.status == 303)
            }
            #expect(!heard.contains("Later"))
            #expect(heard.contains("event: ended\ndata: {\"reason\":\"You are signed out.\"}"))
            #expect(try await WireClient.get(site, "/events", fields: cookie).status == 401)
            #expect(try await admin.get("/admin").status == 303, "the copy of a cookie too")
            #expect(try await other.get("/admin").status == 200)
        }
    }

    @Test(arguments: [true, false])
    func `the holder of a revoked token hears nothing more`(isTold: Bool) async throws {
        try await Self.site { site in
            let token = try AdminClient.token(in: site.store)
            let fields = ["Authorization": "Bearer \(token)"]
            let heard = try await Self.heard(site, "/events", fields) {
                try site.store.changeTokens { try $0.revoke("root0", at: Date()) }
                // Another program may change the register and die before it records the change.
                guard isTold else { return }
                try site.store.record(
                    Activity(date: Date(), actor: "x", event: .tokenRevoked, subject: "root0")
                )
            }
            #expect(!heard.contains("activity"))
            #expect(heard.contains("event: ended\n") && heard.contains("was revoked."))
        }
    }

    @Test func `a session's stream ends with its hours, and with its token`() async throws {
        try await Self.site { site in
            let admin = try await AdminClient.admin(site)
            let cookie = ["Cookie": "__Host-ota_admin=\(admin.cookie)"]
            let late = try await Self.heard(site, "/events", cookie) {
                site.clock.advance(by: 13 * 3600)
            }
            #expect(!late.contains("Later"))
        }
        try await Self.site { site in
            let admin = try await AdminClient.admin(site)
            let cookie = ["Cookie": "__Host-ota_admin=\(admin.cookie)"]
            let heard = try await Self.heard(site, "/events", cookie) {
                let answer = try await admin.send("/admin/sign-out-everywhere")
                #expect(answer.status == 303)
            }
            #expect(!heard.contains("Later"))
        }
    }

    @Test func `the cookie of an erased device hears that once, and nothing more`() async throws {
        try await Self.site { site in
            let ana = try TestTester(TestTester.ana, of: site)
            try ana.join(site)
            site.settle()
            let heard = try await Self.heard(
                site,
                "/events?app=demo-co",
                ["Cookie": ana.cookie],
            ) { try Self.erase(ana, on: site) }
            #expect(heard.contains("event: changed\ndata: {}\n\n"))
            #expect(heard.components(separatedBy: "event:").count == 2)
        }
    }

    @Test func `who leaves the group that an app is open to hears that once, and nothing more`()
        async throws
    {
        try await Self.site { site in
            let ana = try TestTester(TestTester.ana, of: site)
            try ana.join(site)
            let group = try #require(GroupName("qa"))
            let admin = Administrator(of: site.store, named: "ada", clock: { site.clock.now })
            try admin.createGroup(group)
            try admin.add([ana.device], to: group)
            try admin.changeApp(
                site.release.bundleIdentifier,
                AppChange(access: AppRecord.Access("groups:qa")),
            )
            site.settle()
            let heard = try await Self.heard(
                site,
                "/events?app=demo-co",
                ["Cookie": ana.cookie],
            ) { try admin.remove([ana.device], from: group) }
            #expect(heard.contains("event: changed\ndata: {}\n\n"))
            #expect(heard.components(separatedBy: "event:").count == 2)
            #expect(!heard.contains("Later"))
        }
    }

    @Test func `whoever knew the old passphrase is shown out when it changes`() async throws {
        try await Self.site { site in
            func set(_ words: String) throws -> Session? {
                let hash = try PassphraseHash(words, random: randomBytes)
                let app = site.release.bundleIdentifier
                try site.store.changeApp(app) { app in
                    app.access = .passphrase
                    app.passphrase = hash
                }
                return Session(
                    kind: .passphrase,
                    subject: app.rawValue,
                    generation: hash.generation,
                    expires: site.clock.now.addingTimeInterval(3600),
                )
            }
            let session = try #require(try set("open sesame, please"))
            site.settle()
            let value = SessionAuthority(key: try site.store.sessionKey()).value(of: session)
            let heard = try await Self.heard(
                site,
                "/events?app=demo-co",
                ["Cookie": "__Host-ota_app_\(site.release.bundleIdentifier)=\(value)"],
            ) { _ = try set("another one, thank you") }
            #expect(heard.contains("event: changed\n"))
            try TestSite.publish([1, 2, 3], into: site.store, version: "1.3.0")
        }
    }
}
