import Bundles
import Cryptography
import Enrolment
import Foundation
import Identifiers
import Jobs
import NIOCore
import OTAServer
import Releases
import Sample
import Store
import Testing

/// A device from its enrolment to the Install button, as its tester and an admin see it.
@Suite(.timeLimit(.minutes(10)))
struct DeviceStepTests {
    private static func run(
        _ body: @Sendable @escaping (TestSite) async throws -> Void
    ) async throws {
        try await TestSite.enrolling(
            configure: { $0.eventLook = .milliseconds(50) },
            body,
        )
    }

    /// Another device, which no test enrols.
    private static func other() throws -> DeviceUDID { try #require(DeviceUDID(TestTester.ben)) }

    private static let team = TeamIdentifier("ABCDE12345")

    /// Adds a team with a developer account, which the server maintains if `isActive`, and which signs the app.
    private static func add(to site: TestSite, isActive: Bool = true) throws {
        let identifier = try #require(team)
        let key = try #require(SealingKey(bytes: Array(repeating: 7, count: 32)))
        var team = Team(identifier, name: "Forsh Ltd", added: site.clock.now, addedBy: "ada")
        var account = TeamAccount(
            issuer: "57246542-96fe-1a63-e053-0824d011072a",
            keyID: "2X9R4HXF34",
            sealed: key.seal([1], as: .accountKey(of: identifier)),
            added: site.clock.now,
            addedBy: "ada",
        )
        if isActive { account.agreed = site.clock.now }
        team.account = account
        #expect(try site.store.add(team))
        try site.store.changeApp(site.release.bundleIdentifier) { app in
            app.team = identifier
            app.signing = .automatic
        }
    }

    private static func change(
        _ site: TestSite,
        _ change: (inout TeamAccount) throws -> Void,
    ) throws {
        try site.store.changeTeam(try #require(team)) { team in
            var account = try #require(team.account)
            try change(&account)
            team.account = account
        }
    }

    private static func snapshot(
        _ tester: TestTester,
        _ status: AccountSnapshot.DeviceStatus,
        _ site: TestSite,
    ) -> AccountSnapshot {
        AccountSnapshot(
            date: site.clock.now,
            slots: [.init(family: .iphone, used: 17)],
            devices: [.init(udid: tester.device, status: status)],
            unknownCount: 4,
        )
    }

    private static let trouble = AccountTrouble(
        id: "apple.agreement",
        message: "App Store Connect waits for somebody to accept an agreement",
        fix: "ask the Account Holder to accept it",
        testerSentence: "Your team has to accept an agreement with Apple first.",
        needsPerson: true,
        since: Date(),
    )

    /// The path of the page's event stream.
    private static func stream(_ page: WireResponse) throws -> String {
        let rest = try #require(
            page.text.components(separatedBy: "data-events=\"").dropFirst().first
        )
        return try #require(rest.components(separatedBy: "\"").first)
            .replacing("&amp;", with: "&")
    }

    /// Runs an action, and reloads the page at each event of the stream until it shows a text.
    private static func expect(
        _ words: String,
        on path: String,
        of tester: TestTester,
        _ site: TestSite,
        _ client: WireClient,
        after act: () throws -> Void,
    ) async throws {
        func told() -> Int {
            String(decoding: client.buffer.readableBytesView, as: UTF8.self)
                .components(separatedBy: "event: changed").count
        }
        var known = told()
        try act()
        while true {
            while told() == known {
                guard await client.more() else {
                    Issue.record("the stream ended before the page says: \(words)")
                    return
                }
            }
            known = told()
            if try await tester.get(site, path).text.contains(words) { return }
        }
    }

    @Test func `the install page goes through the steps as documents change`() async throws {
        try await Self.run { site in
            let ana = try TestTester(TestTester.ana, of: site)
            let ben = try TestTester(TestTester.ben, of: site)
            try Self.add(to: site)
            try TestSite.publish([1], into: site.store, version: "2.0", for: [ben.device])
            try ana.join(site, approved: false)
            try await Task.sleep(for: .milliseconds(1200))
            let path = "/apps/demo-co"
            let page = try await ana.get(site, path)
            #expect(page.text.contains("Waiting for your team’s approval"))
            #expect(page.text.contains("aria-current=\"step\""))
            #expect(page.text.contains("<noscript>"))
            #expect(!page.text.contains("itms-services"))
            #expect(!page.text.lowercased().contains(TestTester.ana.lowercased()))
            let events = try Self.stream(page)
            try await WireClient.secure(site) { client in
                try await client.send(
                    "GET \(events) HTTP/1.1\r\nHost: localhost\r\nCookie: \(ana.cookie)\r\n\r\n"
                )
                #expect(try await client.responseHead().status == 200)
                let shows = { (words: String, act: () throws -> Void) in
                    try await Self.expect(
                        words,
                        on: path,
                        of: ana,
                        site,
                        client,
                        after: act,
                    )
                }
                try await shows("Being registered with Apple") { try ana.approve(site) }
                // The following changes are in no journal.
                try await shows(Self.trouble.testerSentence) {
                    try Self.change(site) { $0.trouble = Self.trouble }
                }
                #expect(try await ana.get(site, path).text.contains("class=\"stopped\""))
                try await shows("still processing it") {
                    try Self.change(site) { account in
                        account.trouble = nil
                        account.snapshot = Self.snapshot(ana, .processing, site)
                    }
                }
                #expect(try await ana.get(site, path).text.contains("up to 72 hours"))
                try await shows("The build is being prepared") {
                    try Self.change(site) { $0.snapshot = Self.snapshot(ana, .enabled, site) }
                    try site.store.changeDevices {
                        try $0.markRegistered(ana.device, at: site.clock.now)
                    }
                }
                try await shows("itms-services") {
                    try TestSite.publish(
                        [2],
                        into: site.store,
                        version: "2.1",
                        for: [ana.device, ben.device],
                    )
                }
            }
        }
    }

    @Test func `the page after enrolment goes on to the app, also once its address has ended`()
        async throws
    {
        try await Self.run { site in
            try Self.add(to: site)
            let issued = try site.invite(app: site.release.bundleIdentifier)
            let link = "/enrol/\(issued.token.text)"
            let device = try SampleDevice(certifiedBy: TestSite.deviceAuthority.get())
            let ana = try TestTester(device.udid, of: site)
            try TestSite.publish([1], into: site.store, version: "2.0", for: [Self.other()])
            let challenge = try await site.challenge(link)
            let answer = try device.answer(challenge: challenge)
            let path = try await site.post(link, answer).location()
            var page = try await WireClient.get(site, path)
            // The page may be a second old, and the build before it included every device.
            while !page.text.contains("Waiting for your team’s approval") {
                #expect(page.text.contains("The newest build already includes it."))
                #expect(!page.text.contains("Your team approved this device"))
                try await Task.sleep(for: .milliseconds(50))
                page = try await WireClient.get(site, path)
            }
            let events = try Self.stream(page)
            #expect(events.hasPrefix("/events?device=own&for=demo-co&"))
            #expect(!events.lowercased().contains(device.udid.lowercased()))
            #expect(try await WireClient.get(site, events).status == 404, "of no device")
            site.clock.advance(by: 2 * 3600)
            #expect(try await WireClient.get(site, path).status == 404)
            let ben = try TestTester(TestTester.ben, of: site)
            try ben.join(site)
            #expect(try await ben.get(site, path).status == 404, "another device's")
            let later = try TestTester(device.udid, of: site)
            #expect(try await later.get(site, path).fields["set-cookie"] == nil)
            try await WireClient.secure(site) { client in
                try await client.send(
                    "GET \(events) HTTP/1.1\r\nHost: localhost\r\nCookie: \(later.cookie)\r\n\r\n"
                )
                #expect(try await client.responseHead().status == 200)
                try await Self.expect(
                    "Being registered with Apple",
                    on: path,
                    of: later,
                    site,
                    client,
                ) { try ana.approve(site) }
                try await Self.expect(
                    "Install Demo",
                    on: path,
                    of: later,
                    site,
                    client,
                ) {
                    try TestSite.publish(
                        [2],
                        into: site.store,
                        version: "2.1",
                        for: [ana.device],
                    )
                }
            }
        }
    }

    @Test(arguments: [true, false])
    func `where people do the work, no page says that Apple is asked`(hasTeam: Bool) async throws {
        try await Self.run { site in
            if hasTeam { try Self.add(to: site, isActive: false) }
            let ana = try TestTester(TestTester.ana, of: site)
            try TestSite.publish([1], into: site.store, version: "2.0", for: [Self.other()])
            try ana.join(site, approved: false)
            site.settle()
            let waiting = try await ana.get(site, "/apps/demo-co").text
            #expect(waiting.contains("Waiting for your team’s approval"))
            #expect(!waiting.contains("Apple"))
            try ana.approve(site)
            site.settle()
            let approved = try await ana.get(site, "/apps/demo-co").text
            #expect(approved.contains("Waiting for a build that includes this device"))
            #expect(!approved.contains("Apple"))
        }
    }

    @Test func `a page that is older than what its stream knows is told at once`() async throws {
        try await Self.run { site in
            try Self.add(to: site)
            let ana = try TestTester(TestTester.ana, of: site)
            try ana.join(site)
            try TestSite.publish([1], into: site.store, version: "2.0", for: [Self.other()])
            try await Task.sleep(for: .milliseconds(1200))
            let events = try Self.stream(try await ana.get(site, "/apps/demo-co"))
            try Self.change(site) { $0.trouble = Self.trouble }
            try await Task.sleep(for: .milliseconds(1200))
            try await WireClient.secure(site) { client in
                try await client.send(
                    "GET \(events) HTTP/1.1\r\nHost: localhost\r\nCookie: \(ana.cookie)\r\n\r\n"
                )
                #expect(try await client.responseHead().status == 200)
                while !String(decoding: client.buffer.readableBytesView, as: UTF8.self)
                    .contains("event: changed")
                {
                    guard await client.more() else {
                        Issue.record("the stream ended")
                        return
                    }
                }
            }
        }
    }

    @Test func `an admin sees what to do at Apple, open jobs, and devices that differ there`()
        async throws
    {
        try await Self.run { site in
            try Self.add(to: site)
            let ana = try TestTester(TestTester.ana, of: site)
            try ana.join(site)
            let now = site.clock.now
            try Self.change(site) { account in
                account.trouble = Self.trouble
                account.snapshot = Self.snapshot(ana, .disabled, site)
            }
            let job = Job(
                JobIdentifier(at: now) { Array(repeating: 1, count: $0) },
                .renewCertificate,
                for: try #require(Self.team),
                because: "it ends soon",
                by: "ota",
                at: now,
                due: now + 3600,
            )
            #expect(try site.store.add(job).isCreated)
            site.settle()
            let admin = try await AdminClient.admin(site)
            let overview = try await admin.get("/admin").text
            for words in [
                "Forsh Ltd: App Store Connect waits for somebody to accept an agreement",
                "Ask the Account Holder to accept it.", "Apple counts 17 of 100 iPhone",
                "Apple counts 17, 16 more than this register", "4 devices only at Apple",
                "Renew the certificate of team ABCDE12345",
            ] {
                #expect(overview.contains(words), "\(words)")
            }
            #expect(!overview.contains("to register with Apple"), "the server does it")
            let devices = try await admin.get("/admin/devices").text
            #expect(devices.contains("Different at Apple"))
            #expect(devices.contains("Disabled at Apple"))
            #expect(
                devices.contains("4 devices in the developer account are not in this register.")
            )
            let own = try await admin.get("/admin/devices/\(ana.reference)").text
            #expect(own.contains("Disabled, as of"))
            try Self.change(site) { $0.snapshot = nil }
            try site.store.changeDevices { try $0.markRegistered(ana.device, at: now - 60) }
            try Self.change(site) { account in
                account.snapshot = AccountSnapshot(
                    date: now,
                    slots: [],
                    devices: [],
                    unknownCount: 0,
                )
            }
            try await Task.sleep(for: .milliseconds(700))
            #expect(
                try await admin.get("/admin/devices").text.contains("Unknown to Apple")
            )
        }
    }
}
