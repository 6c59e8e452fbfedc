import Administration
import APIDocuments
import Bundles
import Cryptography
import Enrolment
import Foundation
import Identifiers
import Inspection
import Releases
import Sample
import Store
import Testing

/// Devices that join by an invitation to an app whose rule approves them.
@Suite(.timeLimit(.minutes(10)))
struct ApprovalRuleTests {
    @Test func `an invitation to an app is the approval where its rule says so`() async throws {
        try await TestSite.enrolling { site in
            let app = try await site.demo(approval: .automatic)
            let (udid, page) = try await site.join(site.invite(app: app))
            let device = try #require(try site.store.devices()[udid])
            #expect(device.state == .approved)
            #expect(device.history.map(\.state) == [.invited, .enrolled, .approved])
            #expect(device.history.last?.by?.hasPrefix("rule of ") == true)
            #expect(!page.text.contains("yet to approve"))
            let entries = try site.store.activity(count: 5).filter { $0.subject == device.name }
            #expect(entries.map(\.event) == [.deviceApproved])
            let entry = try #require(entries.first)
            #expect(entry.deed(app: nil).hasPrefix("approved Ana's iPhone by rule of "))
            #expect(entry.app == nil, "who reads the app does not see devices")
        }
    }

    @Test(arguments: [AppRecord.Approval.automatic, .manual])
    func `without such a rule, or without an app, an admin approves`(
        _ approval: AppRecord.Approval
    ) async throws {
        try await TestSite.enrolling { site in
            let app = try await site.demo(approval: approval)
            // An app's rule does not apply to invitations without an app.
            let issued = try site.invite(app: approval == .manual ? app : nil)
            let (udid, page) = try await site.join(issued)
            #expect(try site.store.devices()[udid]?.state == .enrolled)
            #expect(page.text.contains("Your team has yet to approve the device"))
            #expect(try site.store.activity(count: 1).map(\.event) == [.deviceEnrolled])
        }
    }

    @Test func `a device without a slot waits, and the activity says why`() async throws {
        try await TestSite.enrolling { site in
            let app = try await site.demo(approval: .automatic)
            let now = site.clock.now
            try site.store.changeDevices { register in
                for text in SampleDevices.list(DeviceRegister.slotLimit + 1).dropFirst() {
                    let udid = try #require(DeviceUDID(text))
                    try register.add(
                        Device(udid: udid, name: "Somebody", family: .iphone, added: now),
                        at: now,
                    )
                }
            }
            let (udid, page) = try await site.join(site.invite(app: app))
            #expect(try site.store.devices()[udid]?.state == .enrolled)
            #expect(page.text.contains("Your team has yet to approve the device"))
            let entries = try site.store.activity(count: 2)
            #expect(entries.map(\.event) == [.approvalRefused, .deviceEnrolled])
            #expect(
                entries.first?.deed(app: nil)
                    == "did not approve Ana's iPhone: all 100 iPhone slots of this membership year "
                    + "are used"
            )
        }
    }

    @Test func `an invitation from before brings back no disabled device by itself`()
        async throws
    {
        try await TestSite.enrolling { site in
            let app = try await site.demo(approval: .automatic)
            let old = try site.invite(app: app)
            let (udid, _) = try await site.join(site.invite(app: app))
            site.clock.advance(by: 60)
            let now = site.clock.now
            try site.store.changeDevices { try $0.disable(udid, at: now, by: "ada") }
            _ = try await site.join(old)
            #expect(try site.store.devices()[udid]?.state == .enrolled)
            // Sending the response again adds no second device.
            #expect(
                try site.store.activity(count: 2).map(\.event)
                    == [.approvalRefused, .deviceEnrolled]
            )
            let again = site.clock.now
            try site.store.changeDevices { try $0.disable(udid, at: again, by: "ada") }
            site.clock.advance(by: 60)
            _ = try await site.join(site.invite(app: app))
            #expect(try site.store.devices()[udid]?.state == .approved)
        }
    }

    @Test(arguments: [1, 2])
    func `a device goes to the app's team where several have an account`(
        _ accounts: Int
    ) async throws {
        try await TestSite.enrolling { site in
            let app = try await site.demo(approval: .automatic)
            let teams = try ["AAAAAAAAAA", "BBBBBBBBBB"].map { try #require(TeamIdentifier($0)) }
            for (place, identifier) in teams.enumerated() {
                try site.store.add(
                    team: identifier,
                    hasAccount: place < accounts,
                    at: site.clock.now,
                )
            }
            try site.store.changeApp(app) { $0.team = teams[0] }
            site.settle()
            let (udid, _) = try await site.join(site.invite(app: app))
            let device = try #require(try site.store.devices()[udid])
            #expect(device.state == .approved)
            #expect(device.team == (accounts == 2 ? teams[0].rawValue : nil))
        }
    }
}

extension TestSite {
    /// Sets the approval rule of the site's app.
    fileprivate func demo(approval: AppRecord.Approval) async throws -> BundleIdentifier {
        try store.changeApp(release.bundleIdentifier) { $0.approval = approval }
        settle()
        return release.bundleIdentifier
    }

    /// Enrols a device by an invitation.
    ///
    /// - Returns: the device, and the final page.
    fileprivate func join(
        _ issued: IssuedInvitation
    ) async throws -> (device: DeviceUDID, page: WireResponse) {
        let path = "/enrol/\(issued.token.text)"
        let device = try SampleDevice(certifiedBy: TestSite.deviceAuthority.get())
        let answer = try device.answer(challenge: await challenge(path))
        let posted = try await post(path, answer)
        // A response whose answer was lost is sent again, and changes nothing.
        #expect(try await post(path, answer).status == 301)
        let page = try await WireClient.get(self, posted.location())
        return (try #require(DeviceUDID(device.udid)), page)
    }
}

extension OTAStore {
    /// Adds a team, with an account whose key cannot be decrypted.
    fileprivate func add(team identifier: TeamIdentifier, hasAccount: Bool, at date: Date) throws {
        var team = Team(identifier, name: "Acme", added: date, addedBy: "ada")
        if hasAccount {
            let key = try #require(SealingKey(bytes: [UInt8](repeating: 7, count: 32)))
            team.account = TeamAccount(
                issuer: "57246542-96fe-1a63-e053-0824d011072a",
                keyID: "2X9R4HXF34",
                sealed: key.seal([1], as: .accountKey(of: identifier)),
                added: date,
                addedBy: "ada",
            )
        }
        _ = try add(team)
    }
}
