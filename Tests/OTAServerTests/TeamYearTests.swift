import APIDocuments
import Access
import Administration
import Foundation
import Identifiers
import OTAServer
import Publishing
import Releases
import Store
import TestSupport
import Testing

/// A team works with the server for a year: three admins with three roles, four groups, two developer teams
/// and six apps; people join by a poster, leave and change roles, and builds come and go by rule.
@Suite(.timeLimit(.minutes(10)))
struct TeamYearTests {
    private static let slugs = ["demo-co", "lab", "beta-app", "shop", "board", "press"]
    private static let access = [
        "open", "enrolled", "groups:qa", "groups:beta,staff", "sign-in", "groups:press",
    ]
    private static let teams = ["ABCDE12345", "KLMNO12345"]

    private static func bundle(_ number: Int) throws -> BundleIdentifier {
        let name = number == 0 ? "demo" : slugs[number].replacing("-", with: "")
        return try #require(BundleIdentifier("com.example.\(name)"))
    }

    private static let colleagues: [String: TeamOffice.Colleague] = [
        "ana": .init(address: "ana@example.com", values: ["it"]),
        "bea": .init(address: "bea@example.com", values: ["mobile"]),
        "carl": .init(address: "carl@example.com"),
        "dora": .init(address: "dora@partner.example"),
    ]

    @Test func `a team and its testers see, install and change what they should for a year`()
        async throws
    {
        let clock = LateClock()
        let provider = try StandInProvider { clock.now }
        try await TestSite.enrolling(configure: { $0.providers = provider }) { site in
            site.clock.hold()
            clock.follow(site.clock)
            try Self.prepare(site)
            try await WireClient.secure(site) { client in
                var office = try TeamOffice(
                    site,
                    provider,
                    client,
                    colleagues: Self.colleagues,
                    phones: 4,
                )
                let ana = try await office.signIn("ana")
                let token = try await Self.setUp(office, by: ana)
                try await Self.joinByPoster(&office, ana)
                try await Self.signInAsTester(office)
                try await Self.workInRoles(office)
                try await Self.shareTwoTeams(office, token)
                try await Self.leave(office)
                try await Self.changeRoles(&office)
                try await Self.publishForAYear(office, token)
            }
        }
    }

    // MARK: The story

    /// Creates six apps with a build each, two developer teams, and the roles.
    private static func prepare(_ site: TestSite) throws {
        let admin = Administrator(of: site.store, named: "root", clock: { site.clock.now })
        for number in 1..<slugs.count {
            try publish(1, of: number, into: site)
            try admin.changeApp(bundle(number), AppChange(slug: Slug(slugs[number])))
        }
        for team in teams {
            try admin.addTeam(named: team)
        }
        // A group must exist before the sign-in settings name it.
        let press = try #require(GroupName("press"))
        try site.store.changeDevices {
            try $0.create(press, by: "root", at: site.clock.now)
        }
        let shop = try bundle(3)
        try site.store.changeSignIn { register in
            register.settings = SignInSettings(
                issuer: try #require(IssuerURL(StandInProvider.issuer)),
                clientID: StandInProvider.client,
                clientSecret: "secret",
                name: "Example ID",
                roleClaim: "groups",
                grants: [
                    RoleGrant(.admin, to: .claim("it")),
                    RoleGrant(.publisher, on: shop, to: .claim("mobile")),
                    RoleGrant(.viewer, to: .email("carl@example.com")),
                ],
                testers: [
                    TesterGrant(to: .domain("example.com")),
                    TesterGrant(
                        in: GroupName("press"),
                        to: .known(.email("dora@partner.example")),
                    ),
                ],
                scopes: [],
                changed: site.clock.now,
            )
        } recording: {
            []
        }
        site.settle()
    }

    private static func publish(
        _ build: Int,
        of app: Int,
        into site: TestSite,
        for devices: [DeviceUDID]? = nil,
    ) throws {
        try TestSite.publish(
            Array("build \(build) of \(app)".utf8),
            into: site.store,
            of: bundle(app).rawValue,
            version: "2.\(build)",
            build: "\(build)",
            for: devices,
            at: site.clock.now,
        )
    }

    /// The admin creates the groups and a token for the build server, and opens the apps.
    private static func setUp(_ office: TeamOffice, by ana: String) async throws -> String {
        for group in ["qa", "beta", "staff"] {
            let made = try await office.send("/admin/groups", ["group": group], by: ana)
            #expect(made.status == 303, "\(group)")
        }
        let made = try await office.send(
            "/admin/tokens",
            ["name": "ci", "scope": "admin", "days": "365"],
            by: ana,
        )
        let page = try await office.secret(after: made, by: ana).text
        let start = try #require(page.range(of: "ota_", options: .backwards)).lowerBound
        let token = String(page[start...].prefix { $0 == "_" || $0.isLetter || $0.isNumber })
        for (slug, access) in zip(slugs, access) {
            let body = #"{"access": "\#(access)"}"#
            #expect(try await office.call("PATCH", "/apps/\(slug)", body, token: token) == 200)
        }
        return token
    }

    /// Four phones join by a poster in the kitchen; one is not approved.
    private static func joinByPoster(_ office: inout TeamOffice, _ ana: String) async throws {
        let sent = try await office.send(
            "/admin/devices/invitations",
            ["name": "Kitchen", "uses": "4", "groups": "qa", "valid": "7"],
            by: ana,
        )
        let poster = try await office.secret(after: sent, by: ana).text
        let start = try #require(poster.range(of: "/enrol/")).lowerBound
        let path = String(poster[start...].prefix { !"\"< ".contains($0) })
        for number in office.phones.indices { try await office.join(number, by: path) }
        let full = try await office.client.request("GET", path + "/profile.mobileconfig?name=X")
        #expect(full.status != 200, "the poster has no place left")
        let waiting = office.phones[0].cookie
        let early = [200, 403, 403, 404, 403, 404]
        #expect(try await office.statuses(of: slugs, for: waiting) == early)
        for number in 0..<3 {
            let reference = try office.reference(to: number)
            let approved = try await office.send(
                "/admin/devices/approve",
                ["device": reference],
                by: ana,
            )
            #expect(approved.status == 303)
        }
        let added = try await office.send(
            "/admin/groups/beta/add",
            ["device": office.reference(to: 1)],
            by: ana,
        )
        #expect(added.status == 303)
        let expected = [
            [200, 200, 200, 404, 403, 404], [200, 200, 200, 200, 403, 404],
            [200, 200, 200, 404, 403, 404], [200, 403, 403, 404, 403, 404],
        ]
        for (number, statuses) in expected.enumerated() {
            let cookie = office.phones[number].cookie
            #expect(try await office.statuses(of: slugs, for: cookie) == statuses, "\(number)")
        }
        #expect(try await office.statuses(of: slugs, for: "") == [200, 403, 404, 404, 403, 404])
    }

    /// A colleague gets access as such, and a person from a partner company as a member of a group.
    private static func signInAsTester(_ office: TeamOffice) async throws {
        let carl = try await office.signIn("carl", asTester: true)
        #expect(try await office.statuses(of: slugs, for: carl) == [200, 403, 404, 404, 200, 404])
        let dora = try await office.signIn("dora", asTester: true)
        #expect(try await office.statuses(of: slugs, for: dora) == [200, 403, 404, 404, 200, 200])
        #expect(try await office.get("/admin", dora).status == 303)
    }

    /// A publisher of one app and a viewer of all can do what their roles allow.
    private static func workInRoles(_ office: TeamOffice) async throws {
        let bea = try await office.signIn("bea")
        let carl = try await office.signIn("carl")
        #expect(try await work(office, as: bea) == [200, 303, 404, 404, 403, 403])
        #expect(try await work(office, as: carl) == [200, 403, 200, 403, 403, 403])
        let entry = try office.site.store.activity(count: 10).first { $0.event == .promoted }
        #expect(entry?.actor == "bea@example.com" && entry?.detail == "beta")
    }

    /// The statuses of the pages that a person opens and the actions that they try.
    private static func work(_ office: TeamOffice, as cookie: String) async throws -> [Int] {
        let form = ["channel": "beta", "instead": "-"]
        var found: [Int] = []
        for slug in ["shop", "lab"] {
            let page = "/admin/apps/\(slug)"
            found.append(try await office.get(page, cookie).status)
            let promoted = try await office.send(page + "/2.1-1/promote", form, by: cookie)
            found.append(promoted.status)
        }
        for page in ["/admin/devices", "/admin/tokens"] {
            found.append(try await office.get(page, cookie).status)
        }
        return found
    }

    /// Two phones are also in the second team's account, and a build signed by it installs on them.
    private static func shareTwoTeams(_ office: TeamOffice, _ token: String) async throws {
        for number in 0..<3 {
            let path = "/devices/" + (try office.reference(to: number))
            let own = #"{"team": "\#(teams[0])"}"#
            #expect(try await office.call("PATCH", path, own, token: token) == 200)
            let further = #"{"addTeams": ["\#(teams[1])"]}"#
            guard number < 2 else { continue }
            #expect(try await office.call("PATCH", path, further, token: token) == 200)
        }
        let slots = try office.site.store.devices().slots(at: office.site.clock.now)
        let used = teams.map { team in
            slots.first { $0.team == team && $0.family == .iphone }?.used
        }
        #expect(used == [3, 2])
        let listed = office.phones[0...1].map(\.udid)
        try publish(2, of: 1, into: office.site, for: Array(listed))
        office.site.settle()
        for number in 0..<3 {
            let page = try await office.get("/apps/lab", office.phones[number].cookie)
            let canInstall = page.text.contains("action=download-manifest")
            #expect(page.status == 200 && canInstall == (number < 2), "\(number)")
        }
    }

    /// A person who leaves a group no longer sees or installs what is for its members.
    private static func leave(_ office: TeamOffice) async throws {
        let cookie = office.phones[2].cookie
        let page = try await office.get("/apps/beta-app", cookie)
        let link = try page.manifestPath(on: office.site)
        #expect(try await office.get(link, "").status == 200)
        let left = try await office.client.post(
            "/groups/leave",
            ["group": "qa"],
            ["Cookie": cookie],
        )
        #expect(left.status == 303)
        office.site.settle()
        #expect(try await office.get("/apps/beta-app", cookie).status == 404)
        #expect(try await office.get(link, "").status == 403)
    }

    /// The provider removes one role and grants another: the server notices within ten minutes.
    private static func changeRoles(_ office: inout TeamOffice) async throws {
        let bea = try await office.signIn("bea")
        let carl = try await office.signIn("carl")
        office.colleagues["bea"]?.values = []
        office.colleagues["carl"]?.values = ["mobile"]
        office.tellProvider()
        office.site.clock.advance(by: 601)
        #expect(try await office.get("/admin", bea).status == 303)
        let withdrawn = try await office.send(
            "/admin/apps/shop/2.1-1/withdraw",
            ["reason": "crashes"],
            by: carl,
        )
        #expect(withdrawn.status == 303)
        let member = office.phones[1].cookie
        #expect(try await office.get("/apps/shop", member).status == 410)
        #expect(
            try await office.send("/admin/apps/shop/2.1-1/restore", by: carl).status == 303
        )
        #expect(try await office.get("/apps/shop", member).status == 200)
        // His session ends after a day.
        office.site.clock.advance(by: 12 * 3600)
        #expect(try await office.get("/admin", carl).status == 303)
    }

    /// Publishes a build a week: exactly those that the rule keeps exist.
    private static func publishForAYear(_ office: TeamOffice, _ token: String) async throws {
        let (site, app) = (office.site, try bundle(2))
        let rules = #"{"newest": 3, "days": 30, "installed": false}"#
        #expect(
            try await office.call("PUT", "/apps/beta-app/rules", rules, token: token) == 200
        )
        for week in 1...52 {
            try publish(week + 1, of: 2, into: site)
            if week == 10 {
                let path = "/apps/beta-app/releases/2.11-11/pin"
                let pin = #"{"reason": "the one of the trade fair"}"#
                #expect(try await office.call("POST", path, pin, token: token) == 200)
            }
            site.clock.advance(by: 7 * 86_400)
            _ = try site.store.applyDueRetention(at: site.clock.now)
            // Published 7, 14, 21 and 28 days ago; the first one was half a day early.
            var kept = Set((max(0, week - 3)...week).map { $0 + 1 })
            if week == 4 { kept.insert(1) }
            if week >= 10 { kept.insert(11) }
            let there = try site.store.releaseIdentifiers(of: app)
            #expect(
                Set(there.map(\.rawValue)) == Set(kept.map { "2.\($0)-\($0)" }),
                "week \(week)",
            )
        }
        site.settle()
        let cookie = office.phones[1].cookie
        #expect(try await office.get("/apps/beta-app", cookie).status == 200)
        #expect(try await office.call("GET", "/apps", "", token: token) == 200)
        // A phone's cookie and this token are valid for a year.
        site.clock.advance(by: 86_400)
        #expect(try await office.get("/apps/beta-app", cookie).status == 404)
        #expect(try await office.call("GET", "/apps", "", token: token) == 401)
    }
}

extension Administrator {
    /// Adds a developer team without keys.
    fileprivate func addTeam(named text: String) throws {
        let team = NewTeam(
            try #require(TeamIdentifier(text)),
            name: nil,
            identity: nil,
            profiles: [],
        )
        _ = try LocalAdministration(self).perform(AddTeam(team))
    }
}
