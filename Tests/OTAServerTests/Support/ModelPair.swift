import APIDocuments
import Access
import Administration
import Cryptography
import Enrolment
import Foundation
import Identifiers
import OTAServer
import Releases
import Sample
import Store
import TestSupport
import Testing

/// A server, its model, and what leads from one to the other.
struct ModelPair {
    static let groups = ["qa", "beta", "staff", "sales"]
    static let channels = ["stable", "beta", "dev"]
    static let slugs = ["demo-co", "second", "third"]
    static let deviceCount = 6
    static let buildCount = 4
    static let invitationCount = 6
    /// Steps, of a second each, for which cookies and links last.
    static let era = 1000

    let site: TestSite
    let admin: Administrator
    var testers: [TestTester]
    private var count = 0
    let devices: [SampleDevice]
    var model = AccessModel()
    var tokens: [(path: String, identifier: InvitationIdentifier)] = []
    /// Manifests that devices were handed, kept as phones keep them.
    var links: [(path: String, app: Int, build: Int, device: Int)] = []
    var opened = 0
    var refused = 0
    var random: SeededGenerator
    private let passphrase: PassphraseHash
    let apps: [BundleIdentifier]

    init(_ site: TestSite, seed: UInt64) throws {
        self.site = site
        random = SeededGenerator(seed: seed)
        admin = Administrator(of: site.store, named: "ada", clock: { site.clock.now })
        let udids = SampleDevices.list(Self.deviceCount)
        testers = try udids.map { try TestTester($0, of: site) }
        devices = try udids.map {
            try SampleDevice(certifiedBy: TestSite.deviceAuthority.get(), udid: $0)
        }
        passphrase = try PassphraseHash("tabs in the dark", cost: .least, random: randomBytes)
        apps = try ["com.example.demo", "com.example.second", "com.example.third"].map {
            try #require(BundleIdentifier($0))
        }
        for app in apps.indices {
            model.apps.append(AccessModel.App())
            let slug = try #require(Slug(Self.slugs[app]))
            if app > 0 { try publish(0, of: app, on: "stable") }
            if app > 0 {
                try admin.changeApp(apps[app], AppChange(slug: slug))
            } else {
                // What the site has published already.
                _ = try admin.withdraw(
                    site.release.identifier,
                    of: apps[0],
                    reason: "for the test",
                )
                try publish(0, of: 0, on: "stable")
            }
        }
        site.settle()
    }

    // MARK: Steps

    mutating func pick<Element>(_ all: [Element]) -> Element {
        all[Int.random(in: 0..<all.count, using: &random)]
    }

    private mutating func pickGroups(_ counts: ClosedRange<Int>) -> Set<String> {
        Set(Self.groups.shuffled(using: &random).prefix(Int.random(in: counts, using: &random)))
    }

    static func version(_ build: Int) -> ReleaseIdentifier {
        ReleaseIdentifier(version: "1.\(build)", build: "\(build + 1)")
    }

    private mutating func publish(_ build: Int, of app: Int, on channel: String) throws {
        let release = Self.version(build)
        if model.apps[app].past[build] == nil {
            try TestSite.publish(
                [UInt8](repeating: UInt8(build + 1), count: 64),
                into: site.store,
                of: apps[app].rawValue,
                version: "1.\(build)",
                build: "\(build + 1)",
                channel: #require(ChannelName(channel)),
            )
        } else {
            try admin.promote(release, of: apps[app], to: #require(ChannelName(channel)))
        }
        model.publish(build, of: app, on: channel)
    }

    /// Makes one random step on both sides.
    ///
    /// - Returns: its name.
    mutating func step(_ client: WireClient) async throws -> String {
        let group = pick(Self.groups)
        let name = try #require(GroupName(group))
        let device = Int.random(in: 0..<Self.deviceCount, using: &random)
        let udid = testers[device].device
        let app = Int.random(in: 0..<apps.count, using: &random)
        let channel = pick(Self.channels)
        let build = Int.random(in: 0..<Self.buildCount, using: &random)
        defer { site.settle() }
        site.clock.advance(by: 1)
        count += 1
        if count.isMultiple(of: Self.era) {
            testers = try testers.map { try TestTester($0.device.rawValue, of: site) }
            links = []
        }
        switch Int.random(in: 0..<26, using: &random) {
        case 0...2:
            agree(model.create(group)) { try admin.createGroup(name) }
            return "create \(group)"
        case 3:
            agree(model.delete(group)) { try admin.deleteGroup(name) }
            return "delete \(group)"
        case 4...6:
            agree(model.add(device, to: group)) { try admin.add([udid], to: name) }
            return "add \(device) to \(group)"
        case 7:
            agree(model.remove(device, from: group)) { try admin.remove([udid], from: name) }
            return "remove \(device) from \(group)"
        case 8:
            return try await leave(device, group, client)
        case 9...10:
            return try invite()
        case 11...13:
            return try await join(device, client)
        case 14:
            return try revoke()
        case 15...17:
            return try open(app)
        case 18...19:
            let names = pickGroups(0...2)
            let access = names.isEmpty ? "app" : "groups:" + names.sorted().joined(separator: ",")
            let to = try #require(AppRecord.ChannelAccess(access))
            let record = try #require(try site.store.app(apps[app]))
            let place = try #require(ChannelName(channel))
            agree(model.open(channel, of: app, to: names)) {
                try admin.open(place, of: record, to: to)
            }
            return "open \(channel) of \(app) to \(access)"
        case 20...21:
            guard !model.apps[app].withdrawn.contains(build) else { return "nothing" }
            try publish(build, of: app, on: channel)
            return "publish \(build) of \(app) on \(channel)"
        case 22:
            guard model.apps[app].past[build] != nil else { return "nothing" }
            if model.apps[app].withdrawn.insert(build).inserted {
                _ = try admin.withdraw(Self.version(build), of: apps[app], reason: "broken")
                return "withdraw \(build) of \(app)"
            }
            model.apps[app].withdrawn.remove(build)
            _ = try admin.restore(Self.version(build), of: apps[app])
            return "restore \(build) of \(app)"
        case 23...24:
            agree(model.approve(device)) { try admin.approve([udid]) }
            return "approve \(device)"
        default:
            agree(model.disable(device)) { try admin.disable(udid) }
            return "disable \(device)"
        }
    }

    /// A step that the model refuses is refused, and no other.
    private func agree(_ isDone: Bool, _ act: () throws -> some Any) {
        do {
            _ = try act()
            #expect(isDone, "the server did what the model refuses")
        } catch {
            #expect(!isDone, "the server refused: \(error)")
        }
    }

    private mutating func leave(
        _ device: Int,
        _ group: String,
        _ client: WireClient,
    ) async throws -> String {
        let body = "group=\(group)"
        try await client.send(
            "POST /groups/leave HTTP/1.1\r\nHost: localhost\r\n"
                + "Cookie: \(testers[device].cookie)\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        let status = try await client.response().status
        let isThere = [.waiting, .approved].contains(model.states[device])
        let isDone = isThere && model.remove(device, from: group)
        #expect((status == 303) == isDone, "\(status)")
        return "\(device) leaves \(group)"
    }

    private mutating func invite() throws -> String {
        let places = Int.random(in: 2...4, using: &random)
        let names = pickGroups(0...2)
        var sent: SentInvitation?
        agree(model.invite(places: places, groups: names)) {
            sent = try admin.invite(
                NewInvitation(
                    name: "Poster",
                    uses: places,
                    groups: GroupNames(names.joined(separator: ",")),
                ),
                links: Links(base: site.addresses.baseURL),
            )
        }
        if let sent {
            tokens.append(
                ("/enrol/\(sent.issued.token.text)", sent.issued.invitation.identifier)
            )
        }
        if tokens.count > Self.invitationCount {
            let identifier = tokens.removeFirst().identifier
            let isOpen = model.invitations.removeFirst().isOpen
            agree(isOpen) { try admin.revokeInvitation(identifier) }
        }
        return "invite \(places) to \(names)"
    }

    private mutating func join(_ device: Int, _ client: WireClient) async throws -> String {
        guard let number = tokens.indices.randomElement(using: &random) else {
            return "nothing"
        }
        let (path, identifier) = tokens[number]
        let isOpen = model.invitations[number].isOpen
        let page = try await client.request("GET", path + "/profile.mobileconfig?name=Tester")
        #expect((page.status == 200) == isOpen, "\(page.status)")
        guard isOpen else { return "no place for \(device)" }
        let answer = try devices[device].answer(
            challenge: site.challenge(in: page.body, for: path)
        )
        try await client.send(
            "POST \(path) HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/pkcs7-signature\r\n"
                + "Content-Length: \(answer.count)\r\n\r\n"
        )
        try await client.send(answer)
        #expect(try await client.response().status == 301)
        _ = model.join(device, with: number)
        #expect(
            try site.store.invitations()[identifier]?.usedPlaces
                == model.invitations[number].users.count
        )
        return "\(device) joins by \(number)"
    }

    private mutating func revoke() throws -> String {
        guard let number = tokens.indices.randomElement(using: &random) else {
            return "nothing"
        }
        let isOpen = model.invitations[number].isOpen
        model.invitations[number].isRevoked = model.invitations[number].isRevoked || isOpen
        agree(isOpen) { try admin.revokeInvitation(tokens[number].identifier) }
        return "revoke \(number)"
    }

    private mutating func open(_ app: Int) throws -> String {
        let kinds = ["open", "passphrase", "enrolled", "groups", "groups"]
        let kind = pick(kinds)
        let names = pickGroups(1...3).sorted().joined(separator: ",")
        let access = try #require(AppRecord.Access(kind == "groups" ? "groups:" + names : kind))
        if access == .passphrase {
            let hash = passphrase
            try site.store.changeApp(apps[app]) { record in
                record.access = .passphrase
                record.passphrase = hash
            }
            _ = model.open(app, to: access)
        } else {
            agree(model.open(app, to: access)) {
                try admin.changeApp(apps[app], AppChange(access: access))
            }
        }
        return "open \(app) to \(access)"
    }
}
