import APIDocuments
import Administration
import Enrolment
import Foundation
import Identifiers
import OTAServer
import PropertyLists
import Releases
import Sample
import Store
import TestSupport
import Testing

/// An invitation with which many devices join.
@Suite(.timeLimit(.minutes(10)))
struct InvitationForManyTests {
    private static func invite(
        _ site: TestSite,
        uses: Int,
        groups: String? = nil,
    ) throws -> (path: String, identifier: InvitationIdentifier) {
        let admin = Administrator(of: site.store, named: "ada", clock: { site.clock.now })
        let sent = try admin.invite(
            NewInvitation(name: "Kitchen", uses: uses, groups: groups.flatMap { GroupNames($0) }),
            links: Links(base: site.addresses.baseURL),
        )
        site.settle()
        return ("/enrol/\(sent.issued.token.text)", sent.issued.invitation.identifier)
    }

    private static func group(_ site: TestSite, _ name: String) throws {
        let admin = Administrator(of: site.store, named: "ada", clock: { site.clock.now })
        try admin.createGroup(#require(GroupName(name)))
        site.settle()
    }

    /// Enrols a device, starting at the form.
    private static func join(
        _ site: TestSite,
        _ path: String,
        as name: String,
        _ udid: String,
    ) async throws -> WireResponse {
        let device = try SampleDevice(certifiedBy: TestSite.deviceAuthority.get(), udid: udid)
        let answer = try device.answer(challenge: await site.challenge(path, naming: name))
        return try await site.post(path, answer)
    }

    @Test func `each tester says their name, and joins the groups`() async throws {
        try await TestSite.enrolling { site in
            try Self.group(site, "qa")
            let (path, invitation) = try Self.invite(site, uses: 2, groups: "qa")
            let form = try await WireClient.get(site, path)
            #expect(form.status == 200 && form.text.contains("name=\"name\""))
            let udids = SampleDevices.list(3)
            for (udid, name) in zip(udids, ["Ana", "Бен 🙂"]) {
                let typed = name.replacing(" ", with: "+")
                let posted = try await Self.join(site, path, as: typed, udid)
                #expect(posted.status == 301)
                let identifier = try #require(DeviceUDID(udid))
                let device = try #require(try site.store.devices()[identifier])
                #expect(device.name == name)
                #expect(device.groups.map(\.rawValue) == ["qa"])
                site.settle()
            }
            #expect(try site.store.invitations()[invitation]?.usedPlaces == 2)
            let full = try await WireClient.get(site, path)
            #expect(full.status == 410 && full.text.contains("places on this invitation are taken"))
            let events = try site.store.activity(count: 2)
            #expect(events.map(\.event) == [.groupJoined, .deviceEnrolled])
            #expect(events.first?.deed(app: nil) == "joined qa")
            #expect(events.map(\.actor) == ["Бен 🙂", "Бен 🙂"])
        }
    }

    @Test func `a name that cannot be one is asked for again`() async throws {
        try await TestSite.enrolling { site in
            let (path, _) = try Self.invite(site, uses: 2)
            let names = ["", "%20", "%0A", String(repeating: "a", count: 51), "%E2%80%AE", "a%00"]
            for name in names {
                let answer = try await WireClient.get(
                    site,
                    path + "/profile.mobileconfig?name=\(name)",
                )
                #expect(answer.status == 422, "\(name)")
                #expect(answer.text.contains("1 to 50 characters"))
            }
            let bare = try await WireClient.get(site, path + "/profile.mobileconfig")
            #expect(bare.status == 422)
        }
    }

    @Test func `places are counted exactly when many join at once`() async throws {
        try await TestSite.enrolling { site in
            let (path, identifier) = try Self.invite(site, uses: 3)
            let udids = SampleDevices.list(8)
            var answers: [[UInt8]] = []
            for (number, udid) in udids.enumerated() {
                let device = try SampleDevice(
                    certifiedBy: TestSite.deviceAuthority.get(),
                    udid: udid,
                )
                let challenge = try await site.challenge(path, naming: "Tester%20\(number)")
                answers.append(try device.answer(challenge: challenge))
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for answer in answers + answers {
                    group.addTask {
                        let status = try await site.post(path, answer).status
                        #expect(status == 301)
                    }
                }
                try await group.waitForAll()
            }
            let invitation = try #require(try site.store.invitations()[identifier])
            #expect(invitation.usedPlaces == 3 && invitation.state(at: site.clock.now) == .used)
            let devices = try site.store.devices().devices
            #expect(Set(devices.map(\.udid)) == Set(invitation.uses.map(\.device)))
        }
    }

    @Test func `who was removed does not come back by the same poster`() async throws {
        try await TestSite.enrolling { site in
            try Self.group(site, "qa")
            let (path, _) = try Self.invite(site, uses: 5, groups: "qa")
            let udid = try #require(SampleDevices.list(1).first)
            _ = try await Self.join(site, path, as: "Ana", udid)
            let device = try #require(DeviceUDID(udid))
            let qa = try #require(GroupName("qa"))
            #expect(try site.store.devices()[device]?.groups == [qa])
            try site.store.changeDevices { try $0.remove([device], from: qa) }
            site.settle()
            #expect(try await Self.join(site, path, as: "Ana", udid).status == 301)
            #expect(try site.store.devices()[device]?.groups == [])
            let (other, _) = try Self.invite(site, uses: 5, groups: "qa")
            _ = try await Self.join(site, other, as: "Ana", udid)
            #expect(try site.store.devices()[device]?.groups == [qa])
        }
    }

    @Test func `a poster prints the code, and ends with its invitation`() async throws {
        try await TestSite.enrolling { site in
            let (path, identifier) = try Self.invite(site, uses: 5)
            let poster = try await WireClient.get(site, path + "/poster")
            #expect(poster.status == 200)
            #expect(poster.text.contains("<svg") && poster.text.contains(path))
            let admin = Administrator(of: site.store, named: "ada", clock: { site.clock.now })
            try admin.revokeInvitation(identifier)
            site.settle()
            #expect(try await WireClient.get(site, path + "/poster").status == 410)
            #expect(try await WireClient.get(site, path).status == 410)
            let absent = String(repeating: "0", count: 32)
            #expect(try await WireClient.get(site, "/enrol/\(absent)/poster").status == 404)
        }
    }

    // Options: devices invite: uses groups
    @Test func `the command invites many to a group`() async throws {
        try await TestSite.enrolling { site in
            try Self.group(site, "qa")
            let program = try #require(Program(built: "ota"), "ota was not built beside the tests")
            let words = [
                "devices", "invite", "--name", "Kitchen", "--uses", "50", "--groups", "qa",
                "--base-url", "https://ota.example.com", "--store",
                site.folder.appending(path: "store").path(),
            ]
            let invited = try await program.run(words, in: site.folder)
            #expect(invited.status == 0, "\(invited.errors)")
            #expect(invited.output.contains("for 50 devices") && invited.output.contains("/poster"))
            let made = try #require(try site.store.invitations().invitations.last)
            #expect((made.places, made.groups.map(\.rawValue)) == (50, ["qa"]))
            let unknown = try await program.run(
                words.map { $0 == "qa" ? "nobody" : $0 },
                in: site.folder,
            )
            #expect(unknown.status == 1 && unknown.errors.contains("there is no group"))
        }
    }
}

extension TestSite {
    private static let plain = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+"
    )

    /// Like ``challenge(_:)``, for an invitation for many devices.
    func challenge(_ path: String, naming name: String) async throws -> String {
        let typed = name.addingPercentEncoding(withAllowedCharacters: Self.plain) ?? ""
        let text = name.contains("%") ? name : typed
        return try await challenge(path, query: "?name=\(text)")
    }
}
