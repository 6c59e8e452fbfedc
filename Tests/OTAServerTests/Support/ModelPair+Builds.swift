import APIDocuments
import Administration
import Foundation
import Identifiers
import OTAServer
import PropertyLists
import Releases
import Store
import Testing

/// Steps of apps, their builds and retention rules.
extension ModelPair {
    /// The duration of the temporary channel.
    static let life = "14d"

    /// The end of a channel on which something is published now; nil for a permanent one.
    func ending(of channel: String) -> Int? { channel == "pr" ? model.now + 14 * Self.day : nil }

    mutating func stepOfAccess() throws -> String {
        let app = pick(below: apps.count)
        guard pick(below: 3) == 0 else { return try open(app) }
        let channel = pick(Self.channels)
        let names = pickGroups(0...2)
        let access = names.isEmpty ? "app" : "groups:" + names.sorted().joined(separator: ",")
        let to = try #require(AppRecord.ChannelAccess(access))
        let record = try #require(try site.store.app(apps[app]))
        let place = try #require(ChannelName(channel))
        agree(model.open(channel, of: app, to: names)) {
            try admin.open(place, of: record, to: to)
        }
        return "open \(channel) of \(app) to \(access)"
    }

    private mutating func open(_ app: Int) throws -> String {
        let kind = pick(["open", "passphrase", "enrolled", "sign-in", "groups", "groups"])
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

    mutating func stepOfBuilds() throws -> String {
        let app = pick(below: apps.count)
        let build = pick(below: Self.buildCount)
        let release = Self.version(build)
        let channel = pick(Self.channels)
        switch pick(below: 8) {
        case 0..<5:
            try publish(build, of: app, on: channel)
            return "publish \(build) of \(app) on \(channel)"
        case 5:
            agree(model.withdraw(build, of: app)) {
                try admin.withdraw(release, of: apps[app], reason: "broken")
            }
            return "withdraw \(build) of \(app)"
        case 6:
            agree(model.restore(build, of: app)) { try admin.restore(release, of: apps[app]) }
            return "restore \(build) of \(app)"
        default:
            let isPinned = pick([true, false])
            let local = LocalAdministration(admin)
            let (name, id) = (apps[app].rawValue, release.rawValue)
            agree(model.pin(build, of: app, isPinned)) {
                if isPinned {
                    _ = try local.perform(PinRelease(id, of: name))
                } else {
                    _ = try local.perform(UnpinRelease(id, of: name))
                }
            }
            return "\(isPinned ? "pin" : "unpin") \(build) of \(app)"
        }
    }

    /// Publishes a build, signed for a team half of the time, or promotes an existing one.
    mutating func publish(_ build: Int, of app: Int, on channel: String) throws {
        let place = try #require(ChannelName(channel))
        let end = ending(of: channel)
        guard !model.isThere(build, of: app) else {
            let life = end == nil ? nil : ChannelLife(Self.life)
            agree(model.offer(build, of: app, on: channel, until: end)) {
                try admin.promote(
                    Self.version(build),
                    of: apps[app],
                    to: place,
                    lasting: life,
                )
            }
            return
        }
        var team: Int? = pick(below: 2) == 0 ? nil : pick(below: Self.teams.count)
        // A profile that lists no devices is refused before a release is created.
        if let chosen = team, model.listed(by: chosen).isEmpty { team = nil }
        try TestSite.publish(
            [UInt8](repeating: UInt8(build + 1), count: 64),
            into: site.store,
            of: apps[app].rawValue,
            version: "1.\(build)",
            build: "\(build + 1)",
            for: try team.map { try listed(by: $0).sorted().map { udids[$0] } },
            channel: place,
            until: end.map { Date(timeIntervalSince1970: Double($0)) },
            at: site.clock.now,
            // The steps take a year, and pages of builds with an expired profile have no link.
            profileDays: 1_000,
        )
        let devices = team.map { model.listed(by: $0) }
        _ = model.offer(build, of: app, on: channel, until: end, listing: devices)
    }

    // MARK: Rules

    mutating func pickRules() -> RetentionRules {
        guard pick(below: 4) > 0 else { return .everything }
        let isByNumber = pick([true, false])
        return RetentionRules(
            newest: isByNumber ? pick([0, 1, 2]) : nil,
            days: isByNumber ? nil : pick([1, 5, 30]),
            keepsInstalled: pick([true, false]),
        )
    }

    mutating func stepOfRules() throws -> String {
        let local = LocalAdministration(admin)
        if pick(below: 4) == 0 {
            let rules = pickRules()
            model.change(usualRules: rules)
            _ = try local.perform(ChangeDefaultRules(to: rules))
            return "all apps keep \(rules.words)"
        }
        let app = pick(below: apps.count)
        let rules = pick(below: 3) == 0 ? nil : pickRules()
        model.change(rules: rules, of: app)
        _ = try local.perform(ChangeRules(of: apps[app].rawValue, to: RulesRequest(rules)))
        return "\(app) keeps \(rules?.words ?? "what all apps keep")"
    }

    // MARK: Installing

    /// Downloads a build by a link from a page, as a phone does.
    mutating func install(_ client: WireClient) async throws -> String {
        // Downloads of a phone within two minutes count as one installation.
        try pass(150)
        guard let link = links.randomElement(using: &random), installs(link) else {
            return "nothing"
        }
        let manifest = try await client.request("GET", link.path)
        #expect(manifest.status == 200, "\(link)")
        guard manifest.status == 200 else { return "nothing" }
        let list = try PropertyList(reading: manifest.body)
        let url = try #require(
            list["items"]?.array?.first?["assets"]?.array?.first?["url"]?.string
        )
        let path = String(url.dropFirst(site.addresses.baseURL.rawValue.count))
        let archive = try await client.request("GET", path)
        #expect(archive.body == [UInt8](repeating: UInt8(link.build + 1), count: 64))
        model.install(link.build, of: link.app, on: link.device)
        for _ in 0..<500 {
            let attempts = try site.store.installAttempts(
                of: apps[link.app],
                since: site.clock.now.addingTimeInterval(-1),
            )
            if attempts.contains(where: { $0.outcome == .downloaded }) {
                seen["installed", default: 0] += 1
                return "install \(link.build) of \(link.app) on \(link.device ?? -1)"
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("the server did not note an install: \(link)")
        return "install"
    }

    /// The model's result for a link; as on the server, this checks the session that it names.
    mutating func installs(_ link: Link) -> Bool {
        guard model.now < link.end else { return false }
        var visitor = AccessModel.Visitor(device: link.device)
        if let session = link.session {
            visitor.tester = model.people.tester(in: session, at: model.now)
            guard visitor.tester != nil else { return false }
        }
        return model.installs(model.apps[link.app], link.build, on: visitor)
    }
}
