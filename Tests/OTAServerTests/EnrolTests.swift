import Bundles
import Enrolment
import Foundation
import Identifiers
import Releases
import Sample
import Store
import Testing

/// Requests that add a device to the register.
@Suite(.timeLimit(.minutes(10)))
struct EnrolTests {
    @Test(arguments: SampleDevice.Form.allCases)
    func `a phone goes from a link to a cookie`(_ form: SampleDevice.Form) async throws {
        try await TestSite.enrolling { site in
            let app = try #require(BundleIdentifier("com.example.demo"))
            let issued = try site.invite(app: app)
            let path = "/enrol/\(issued.token.text)"
            let page = try await WireClient.get(site, path)
            #expect(page.status == 200)
            #expect(page.text.contains("Ana&#39;s iPhone") || page.text.contains("Ana's iPhone"))
            let device = try SampleDevice(certifiedBy: TestSite.deviceAuthority.get())
            let challenge = try await site.challenge(path)
            let answer = try device.answer(challenge: challenge, form: form)
            let posted = try await site.post(path, answer)
            #expect(posted.status == 301)
            let result = try posted.location()
            #expect(!result.lowercased().contains(device.udid.lowercased()))
            let arrived = try await WireClient.get(site, result)
            #expect(arrived.status == 200)
            #expect(arrived.text.contains("iPhone 14 Pro"))
            #expect(arrived.text.contains("/apps/demo-co"))
            let cookie = arrived.fields["set-cookie"] ?? ""
            #expect(cookie.hasPrefix("__Host-ota_device="))
            #expect(cookie.contains("Secure; HttpOnly; SameSite=Lax"))
            #expect(!cookie.lowercased().contains(device.udid.lowercased()))
            let udid = try #require(DeviceUDID(device.udid))
            let known = try #require(try site.store.devices()[udid])
            #expect(known.state == .enrolled)
            #expect(known.name == "Ana's iPhone")
            #expect(known.model == "iPhone15,2")
            // A response whose answer was lost is sent again.
            let again = try await site.post(path, answer)
            #expect(again.status == 301)
            #expect(try site.store.devices().devices.count == 1)
            let log = try await site.logText()
            #expect(!log.lowercased().contains(device.udid.lowercased()))
            #expect(!log.contains(issued.token.text))
            #expect(!log.contains(result.dropFirst("/enrolled/".count)), "it opens the session")
        }
    }

    @Test func `six digits lead to the link, once, and guessing ends`() async throws {
        try await TestSite.enrolling { site in
            let issued = try site.invite()
            let form = "application/x-www-form-urlencoded"
            let wrong = issued.code.digits == "000000" ? "111111" : "000000"
            let refused = try await site.post(
                "/enrol",
                Array("code=\(wrong)".utf8),
                type: form,
            )
            #expect(refused.status == 403)
            #expect(refused.text.contains("role=\"alert\""))
            let typed = Array("code=\(issued.code.spaced.replacing(" ", with: "+"))".utf8)
            let right = try await site.post("/enrol", typed, type: form)
            #expect(right.status == 303)
            #expect(try await WireClient.get(site, right.location()).status == 200)
            #expect(try await site.post("/enrol", typed, type: form).status == 403)
            var last = 0
            for _ in 0..<6 {
                last = try await site.post("/enrol", Array("code=1".utf8), type: form).status
            }
            #expect(last == 429)
        }
    }

    @Test func `an invitation whose device was lost with the server can be used again`()
        async throws
    {
        try await TestSite.enrolling { site in
            let lost = try site.invite()
            let kept = try site.invite()
            let udid = try #require(DeviceUDID(SampleDevices.one))
            let other = try #require(DeviceUDID(SampleDevices.list(2)[1]))
            try site.store.changeDevices { register in
                _ = try register.enrol(
                    Newcomer(
                        udid: other,
                        name: "Ben",
                        model: "iPhone15,2",
                        os: nil,
                        invited: kept.invitation.created,
                        by: "ana",
                    ),
                    at: kept.invitation.created,
                )
            }
            try site.store.changeInvitations { register in
                let date = lost.invitation.created
                _ = try register.consume(lost.invitation.identifier, by: udid, at: date)
                _ = try register.consume(kept.invitation.identifier, by: other, at: date)
            }
            let path = "/enrol/\(lost.token.text)"
            #expect(try await WireClient.get(site, path).status == 410)
            try site.store.giveBackUnfinishedInvitations()
            #expect(try await WireClient.get(site, "/enrol/\(kept.token.text)").status == 410)
            let device = try SampleDevice(certifiedBy: TestSite.deviceAuthority.get())
            let challenge = try await site.challenge(path)
            #expect(try await site.post(path, device.answer(challenge: challenge)).status == 301)
            #expect(try site.store.devices()[udid]?.state == .enrolled)
        }
    }

    @Test func `an invitation whose use may not last is given back at once`() async throws {
        let held = HeldDisk()
        try await TestSite.enrolling(over: held.wrap) { site in
            let issued = try site.invite()
            let disk = try #require(held.disk)
            let path = "/enrol/\(issued.token.text)"
            let device = try SampleDevice(certifiedBy: TestSite.deviceAuthority.get())
            let udid = try #require(DeviceUDID(device.udid))
            let answer = try device.answer(challenge: try await site.challenge(path))
            // The first write marks the invitation as used; the one that would undo this fails too.
            disk.refuse(.settle, of: "invitations")
            #expect(try await site.post(path, answer).status == 507)
            disk.fix()
            #expect(try site.store.devices()[udid] == nil)
            #expect(try site.store.invitations()[issued.token]?.use == nil)
            #expect(try await WireClient.get(site, path).status == 200)
            let again = try device.answer(challenge: try await site.challenge(path))
            #expect(try await site.post(path, again).status == 301)
            #expect(try site.store.devices()[udid]?.state == .enrolled)
        }
    }

    @Test func `a device that is refused for the disk comes again with the same invitation`()
        async throws
    {
        let held = HeldDisk()
        try await TestSite.enrolling(over: held.wrap) { site in
            let issued = try site.invite()
            let disk = try #require(held.disk)
            let path = "/enrol/\(issued.token.text)"
            let device = try SampleDevice(certifiedBy: TestSite.deviceAuthority.get())
            let answer = try device.answer(challenge: try await site.challenge(path))
            disk.refuse(.write, of: "devices")
            #expect(try await site.post(path, answer).status == 507)
            disk.fix()
            #expect(try site.store.invitations()[issued.token]?.use == nil)
            #expect(try await site.post(path, answer).status == 301)
        }
    }

    @Test func `the activity has the arrival of a device with the register`() async throws {
        let held = HeldDisk()
        try await TestSite.enrolling(over: held.wrap) { site in
            let issued = try site.invite()
            let path = "/enrol/\(issued.token.text)"
            let device = try SampleDevice(certifiedBy: TestSite.deviceAuthority.get())
            let answer = try device.answer(challenge: try await site.challenge(path))
            try #require(held.disk).refuse(.append, of: "activity")
            #expect(try await site.post(path, answer).status == 301)
            #expect(try await site.post(path, answer).status == 301)
            let told = try site.store.activity(count: 100)
            #expect(told.filter { $0.event == .deviceEnrolled }.count == 1)
        }
    }

    @Test func `an invitation lets one device in, and ends`() async throws {
        try await TestSite.enrolling { site in
            let issued = try site.invite()
            let path = "/enrol/\(issued.token.text)"
            let challenge = try await site.challenge(path)
            let first = try SampleDevice(certifiedBy: TestSite.deviceAuthority.get())
            _ = try await site.post(path, first.answer(challenge: challenge))
            let second = try SampleDevice(
                certifiedBy: TestSite.deviceAuthority.get(),
                udid: SampleDevices.list(2)[1],
            )
            let posted = try await site.post(path, second.answer(challenge: challenge))
            #expect(posted.status == 301)
            let page = try await WireClient.get(site, posted.location())
            #expect(page.text.contains("The invitation was used by another device."))
            #expect(page.fields["set-cookie"] == nil)
            #expect(try site.store.devices().devices.count == 1)
            #expect(try await WireClient.get(site, path).status == 410)
            #expect(
                try await WireClient.get(site, "/enrol/" + String(repeating: "0", count: 32)).status
                    == 404
            )
        }
    }

    @Test func `an invitation opened again leads its own device on, and tells others the truth`()
        async throws
    {
        try await TestSite.enrolling { site in
            let app = try #require(BundleIdentifier("com.example.demo"))
            let issued = try site.invite(app: app)
            let path = "/enrol/\(issued.token.text)"
            let device = try SampleDevice(certifiedBy: TestSite.deviceAuthority.get())
            let challenge = try await site.challenge(path)
            let posted = try await site.post(path, device.answer(challenge: challenge))
            let arrived = try await WireClient.get(site, posted.location())
            let cookie = try #require(arrived.fields["set-cookie"]).prefix { $0 != ";" }
            let own = try await WireClient.get(site, path, fields: ["Cookie": String(cookie)])
            #expect(own.status == 200)
            #expect(own.text.contains("Your team has yet to approve the device"))
            #expect(own.text.contains("/apps/demo-co"))
            let unknown = try await WireClient.get(site, path)
            #expect(unknown.status == 410)
            #expect(unknown.text.contains("This invitation has already been used."))
            #expect(unknown.text.contains("/apps/demo-co"))
            #expect(!unknown.text.contains("another device."))
            let udid = try #require(DeviceUDID(device.udid))
            try site.store.changeDevices { try $0.disable(udid, at: site.clock.now) }
            site.settle()
            let gone = try await WireClient.get(site, posted.location())
            #expect(gone.text.contains("Your team has disabled this device."))
        }
    }

    @Test func `a device that finds no room comes again with the same invitation`() async throws {
        try await TestSite.enrolling { site in
            try site.store.changeDevices { register in
                for udid in SampleDevices.list(DeviceRegister.pendingLimit) {
                    try register.enrol(
                        Newcomer(
                            udid: #require(DeviceUDID(udid)),
                            name: "Somebody",
                            model: "iPhone15,2",
                            os: nil,
                            invited: site.clock.now,
                            by: "admin",
                        ),
                        at: site.clock.now,
                    )
                }
            }
            let issued = try site.invite()
            let path = "/enrol/\(issued.token.text)"
            let device = try SampleDevice(
                certifiedBy: TestSite.deviceAuthority.get(),
                udid: "00008130-000A1B2C3D4E5F99",
            )
            let challenge = try await site.challenge(path)
            let full = try await site.post(path, device.answer(challenge: challenge))
            let page = try await WireClient.get(site, full.location())
            #expect(page.text.contains("Too many devices are already waiting"))
            try site.store.changeDevices { register in
                for waiting in register.pending { try register.forget(waiting.udid) }
            }
            site.settle()
            #expect(try await WireClient.get(site, path).status == 200, "begin again from there")
            let next = try await site.challenge(path)
            let taken = try await site.post(path, device.answer(challenge: next))
            #expect(
                try await WireClient.get(site, taken.location()).text.contains(
                    "Your team has yet to approve the device"
                )
            )
        }
    }
}
