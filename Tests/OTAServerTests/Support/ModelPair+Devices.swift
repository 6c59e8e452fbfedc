import APIDocuments
import Access
import Administration
import Enrolment
import Foundation
import Identifiers
import OTAServer
import Releases
import Sample
import Store
import TeamUpkeep
import Testing

/// Steps of groups, devices and teams.
extension ModelPair {
    /// Every team, and nil for the unnamed one.
    static let teamNumbers: [Int?] = [nil, 0, 1]
    /// The days on which their membership years begin.
    static let renewals = [
        MembershipDay(month: 1, day: 15), MembershipDay(month: 5, day: 2),
        MembershipDay(month: 10, day: 30),
    ]

    mutating func stepOfGroups(_ client: WireClient) async throws -> String {
        let group = pick(Self.groups)
        let name = try #require(GroupName(group))
        let device = pick(below: Self.deviceCount)
        let udid = udids[device]
        switch pick(below: 13) {
        case 0..<4:
            agree(model.create(group)) { try admin.createGroup(name) }
            return "create \(group)"
        case 4:
            agree(model.delete(group)) { try admin.deleteGroup(name) }
            return "delete \(group)"
        case 5..<9:
            agree(model.add(device, to: group)) { try admin.add([udid], to: name) }
            return "add \(device) to \(group)"
        case 9..<11:
            agree(model.remove(device, from: group)) { try admin.remove([udid], from: name) }
            return "remove \(device) from \(group)"
        default:
            return try await leave(device, group, client)
        }
    }

    private mutating func leave(
        _ device: Int,
        _ group: String,
        _ client: WireClient,
    ) async throws -> String {
        let cookie = phones[device].cookie
        let answer = try await client.post(
            "/groups/leave",
            ["group": group],
            ["Cookie": cookie],
        )
        let isKnown = model.now < phones[device].end && model.isInUse(device)
        let isDone = isKnown && model.remove(device, from: group)
        #expect((answer.status == 303) == isDone, "\(answer.status)")
        return "\(device) leaves \(group)"
    }

    mutating func stepOfDevices(_ client: WireClient) async throws -> String {
        let device = pick(below: Self.deviceCount)
        let udid = udids[device]
        switch pick(below: 16) {
        case 0..<3: return try invite()
        case 3..<8: return try await join(device, client)
        case 8: return try revoke()
        case 9..<12:
            agree(model.approve(device)) { try admin.approve([udid]) }
            return "approve \(device)"
        case 12:
            agree(model.disable(device)) { try admin.disable(udid) }
            return "disable \(device)"
        default:
            try renewCookie(of: device)
            return "\(device) comes back"
        }
    }

    /// Renews the cookie of a browser that has enrolled; here it lasts 40 days, so that some expire.
    private mutating func renewCookie(of device: Int) throws {
        phones[device].end = model.now + 40 * Self.day
        let session = Session(
            kind: .device,
            subject: sessions.reference(to: udids[device]),
            expires: Date(timeIntervalSince1970: Double(phones[device].end)),
        )
        phones[device].cookie = "__Host-ota_device=" + sessions.value(of: try #require(session))
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
            let end = Int(sent.issued.invitation.expires.timeIntervalSince1970)
            model.invitations[model.invitations.count - 1].end = end
        }
        if tokens.count > Self.invitationCount {
            let identifier = tokens.removeFirst().identifier
            let isOpen = model.invitations.removeFirst().isOpen(at: model.now)
            agree(isOpen) { try admin.revokeInvitation(identifier) }
        }
        return "invite \(places) to \(names)"
    }

    private mutating func join(_ device: Int, _ client: WireClient) async throws -> String {
        guard let number = tokens.indices.randomElement(using: &random) else {
            return "nothing"
        }
        let (path, identifier) = tokens[number]
        let isOpen = model.invitations[number].isOpen(at: model.now)
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
        try renewCookie(of: device)
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
        let isOpen = model.invitations[number].isOpen(at: model.now)
        model.invitations[number].isRevoked = model.invitations[number].isRevoked || isOpen
        agree(isOpen) { try admin.revokeInvitation(tokens[number].identifier) }
        return "revoke \(number)"
    }

    // MARK: Teams

    mutating func stepOfTeams() throws -> String {
        let device = pick(below: Self.deviceCount)
        let udid = udids[device]
        let number = pick(below: Self.teams.count)
        let team = try Self.team(number)
        switch pick(below: 6) {
        case 0..<2:
            let chosen = pick(Self.teamNumbers)
            let choice = try #require(TeamChoice(chosen.map { Self.teams[$0] } ?? "none"))
            agree(model.move(device, to: chosen)) {
                try admin.rename(udid, to: nil, of: choice)
            }
            return "\(device) belongs to \(chosen.map { Self.teams[$0] } ?? "no team")"
        case 2..<5:
            agree(model.add(device, toTeam: number)) {
                try admin.rename(udid, to: nil, adding: [team])
            }
            return "\(device) joins \(team)"
        default:
            agree(model.remove(device, fromTeam: number)) {
                try admin.rename(udid, to: nil, removing: [team])
            }
            return "\(device) leaves \(team)"
        }
    }

    /// The devices in the profile of a build signed for a team, according to the server.
    func listed(by number: Int) throws -> Set<Int> {
        let (teams, register) = (try site.store.teams(), try site.store.devices())
        let team = try #require(teams.first { $0.identifier.rawValue == Self.teams[number] })
        let found = TeamDevices(of: team, in: register, beside: teams).devices
            .filter(\.isApproved).compactMap { udids.firstIndex(of: $0.udid) }
        return Set(found)
    }

    /// Compares the used slots of each team, and the devices in the profiles of its builds.
    func compareTeams(after step: String) throws {
        let slots = try site.store.devices().slots(at: site.clock.now)
        for (number, team) in Self.teamNumbers.enumerated() {
            let start = Self.renewals[number].last(before: model.now)
            let used = slots.first {
                $0.team == team.map { Self.teams[$0] } && $0.family == .iphone
            }?.used
            let expected = model.slots.used(of: team, since: start)
            #expect((used ?? 0) == expected, "\(step), slots of team \(team ?? -1)")
            guard let team else { continue }
            #expect(try listed(by: team) == model.listed(by: team), "\(step), team \(team)")
        }
    }
}

/// The day of the year on which a membership renews.
struct MembershipDay {
    let month: Int
    let day: Int

    private func date(in year: Int) -> Date? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(from: DateComponents(year: year, month: month, day: day))
    }

    /// The day, in some year.
    var date: Date? { date(in: 2024) }

    /// Its last occurrence, in seconds since 1970.
    func last(before now: Int) -> Int {
        let years = (1970...2200).compactMap { date(in: $0)?.timeIntervalSince1970 }
        return years.map { Int($0) }.last { $0 <= now } ?? 0
    }
}
