import APIDocuments
import Access
import Administration
import Cryptography
import Enrolment
import Foundation
import Identifiers
import OTAServer
import Publishing
import Releases
import Sample
import Store
import TestSupport
import Testing

/// A server, its model, and the mapping between them.
struct ModelPair {
    static let groups = ["qa", "beta", "staff", "sales"]
    /// The last of them is temporary.
    static let channels = ["stable", "beta", "dev", "pr"]
    static let slugs = ["demo-co", "second", "third", "fourth", "fifth", "sixth"]
    static let teams = ["ABCDE12345", "KLMNO12345"]
    /// Values of the provider's claim.
    static let values = ["it", "mobile", "testing"]
    static let deviceCount = 6
    static let personCount = 6
    static let buildCount = 6
    static let invitationCount = 6
    static let day = 86_400

    /// The browser of a phone.
    struct Phone {
        var cookie = ""
        /// When its cookie expires.
        var end = 0
    }

    /// An install link, kept as phones keep it.
    struct Link {
        let path: String
        let app: Int
        let build: Int
        let device: Int?
        /// The tester's session that it requires; nil for none.
        let session: Int?
        let end: Int
    }

    /// A person's session on the server.
    struct Held {
        let cookie: String
        let identifier: String
    }

    let site: TestSite
    let provider: StandInProvider
    let admin: Administrator
    let sessions: SessionAuthority
    let udids: [DeviceUDID]
    let devices: [SampleDevice]
    let apps: [BundleIdentifier]
    let passphrase: PassphraseHash
    /// The duration of the longest wait, in seconds.
    private let longWait: Int

    var model = AccessModel()
    var random: SeededGenerator
    var phones = Array(repeating: Phone(), count: Self.deviceCount)
    var tokens: [(path: String, identifier: InvitationIdentifier)] = []
    var links: [Link] = []
    /// One for each session in the model.
    var held: [Held] = []
    /// One for each token in the model.
    var secrets: [(name: String, text: String)] = []
    /// Counts of what has happened, to check that nothing was left out.
    var seen: [String: Int] = [:]

    /// Prepares the site and stops its clock; the given number of random steps takes a year.
    init(_ site: TestSite, _ provider: StandInProvider, seed: UInt64, steps: Int) throws {
        self.site = site
        self.provider = provider
        random = SeededGenerator(seed: seed)
        longWait = 365 * Self.day / max(1, steps / 30)
        admin = Administrator(of: site.store, named: "ada", clock: { site.clock.now })
        sessions = SessionAuthority(key: try site.store.sessionKey())
        let texts = SampleDevices.list(Self.deviceCount)
        udids = try texts.map { try #require(DeviceUDID($0)) }
        devices = try texts.map {
            try SampleDevice(certifiedBy: TestSite.deviceAuthority.get(), udid: $0)
        }
        passphrase = try PassphraseHash("tabs in the dark", cost: .least, random: randomBytes)
        apps = try Self.slugs.map {
            try #require(
                BundleIdentifier("com.example." + $0.replacing("-co", with: ""))
            )
        }
        model.now = Int(site.clock.now.timeIntervalSince1970)
        let local = LocalAdministration(admin)
        for team in try Self.teams.map({ try #require(TeamIdentifier($0)) }) {
            let new = NewTeam(team, name: nil, identity: nil, profiles: [])
            _ = try local.perform(AddTeam(new))
        }
        for app in apps.indices {
            model.apps.append(AccessModel.App())
            if app == 0 {
                // The release that the site has already published.
                let published = site.release.identifier
                _ = try admin.withdraw(published, of: apps[0], reason: "for the test")
            }
            try publish(0, of: app, on: "stable")
            let slug = try #require(Slug(Self.slugs[app]))
            if app > 0 { try admin.changeApp(apps[app], AppChange(slug: slug)) }
        }
        for (number, team) in (Self.teamNumbers).enumerated() {
            let day = try #require(Self.renewals[number].date)
            try admin.renewMembership(on: day, of: team.map { try Self.team($0) })
        }
        model.people.people = (0..<Self.personCount).map { number in
            PeopleModel.Person(host: number.isMultiple(of: 2) ? "example.com" : "example.org")
        }
        model.people.people[0].facts.values = ["it"]
        try set(
            roles: [(PeopleModel.Right(role: .admin, app: nil), .value("it"))],
            testers: [(nil, .everyone)],
        )
        tellProvider()
        site.settle()
    }

    // MARK: Choosing

    mutating func pick<Element>(_ all: [Element]) -> Element {
        all[Int.random(in: 0..<all.count, using: &random)]
    }

    mutating func pick(below count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    mutating func pickGroups(_ counts: ClosedRange<Int>) -> Set<String> {
        Set(Self.groups.shuffled(using: &random).prefix(Int.random(in: counts, using: &random)))
    }

    static func version(_ build: Int) -> ReleaseIdentifier {
        ReleaseIdentifier(version: "1.\(build)", build: "\(build + 1)")
    }

    static func team(_ number: Int) throws -> TeamIdentifier {
        try #require(TeamIdentifier(teams[number]))
    }

    // MARK: Steps

    /// Makes a random step on both sides.
    ///
    /// - Returns: its name.
    mutating func step(_ client: WireClient) async throws -> String {
        // A form that is sent again within ten seconds counts as the same one.
        try pass(11 + pick(below: 20))
        defer { site.settle() }
        let done: String
        switch pick(below: 100) {
        case 0..<8:
            let waits = [
                300, 600, 1_800, 7_200, 50_000, Self.day, longWait, longWait,
            ]
            let wait = pick(waits)
            try pass(wait)
            done = "wait \(wait) s"
        case 8..<21: done = try await stepOfGroups(client)
        case 21..<37: done = try await stepOfDevices(client)
        case 37..<44: done = try stepOfTeams()
        case 44..<52: done = try stepOfAccess()
        case 52..<66: done = try stepOfBuilds()
        case 66..<69: done = try await install(client)
        case 69..<73: done = try stepOfRules()
        case 73..<80: done = try stepAtProvider()
        case 80..<90: done = try await stepOfSessions(client)
        default: done = try await act(client)
        }
        site.settle()
        try settleRules()
        return done
    }

    /// Lets time pass, in which channels end and builds are withdrawn.
    ///
    /// The server does this every minute; a test does not wait for it.
    mutating func pass(_ seconds: Int) throws {
        site.clock.advance(by: Double(seconds))
        model.now += seconds
        let now = site.clock.now
        #expect(Int(now.timeIntervalSince1970) == model.now)
        _ = try site.store.endDueChannels(at: now)
        try settleRules()
        site.settle()
    }

    private mutating func settleRules() throws {
        let before = model.buildCount
        _ = try site.store.applyDueRetention(at: site.clock.now)
        model.pass()
        seen["gone", default: 0] += before - model.buildCount
    }

    /// Checks that the server refuses a step if and only if the model does.
    func agree(_ isDone: Bool, _ act: () throws -> some Any) {
        do {
            _ = try act()
            #expect(isDone, "the server did what the model refuses")
        } catch {
            #expect(!isDone, "the server refused: \(error)")
        }
    }
}

extension AccessModel {
    var buildCount: Int { apps.reduce(0) { $0 + $1.builds.count } }
}

/// Requests with a body.
extension WireClient {
    func post(
        _ path: String,
        _ form: [String: String],
        _ fields: [String: String] = [:],
    ) async throws -> WireResponse {
        let unreserved = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
        let body = form.map { name, value in
            "\(name)=" + (value.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "")
        }.joined(separator: "&")
        return try await send(
            "POST",
            path,
            body,
            fields.merging(["Content-Type": "application/x-www-form-urlencoded"]) { $1 },
        )
    }

    func send(
        _ method: String,
        _ path: String,
        _ body: String,
        _ fields: [String: String],
    ) async throws -> WireResponse {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n"
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        try await send(head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
        return try await response()
    }
}
