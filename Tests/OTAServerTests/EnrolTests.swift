import Bundles
import Cryptography
import Enrolment
import Foundation
import NIOCore
import OTAServer
import PropertyLists
import Releases
import Sample
import Store
import TestSupport
import Testing

/// A device comes into the register, or does not.
@Suite(.timeLimit(.minutes(3)))
struct EnrolTests {
    private static let authority = Result { try DeviceAuthority() }

    private static func run(
        _ body: @Sendable @escaping (TestSite) async throws -> Void
    ) async throws {
        let anchor = try authority.get().anchor
        try await TestSite.run(
            configure: { configuration, _ in
                configuration.deviceAnchors = .appleDevices.adding([anchor])
            },
            body,
        )
    }

    private static func invite(
        _ site: TestSite,
        app: BundleIdentifier? = nil,
    ) throws -> IssuedInvitation {
        var issued: IssuedInvitation?
        try site.store.changeInvitations { register in
            var generator = SystemRandomNumberGenerator()
            issued = try register.invite(
                InvitationDraft(name: "Ana's iPhone", app: app, by: "admin"),
                at: site.clock.now,
                using: &generator,
            )
        }
        return try #require(issued)
    }

    /// The profile as the phone reads it, after its signature.
    private static func challenge(_ site: TestSite, _ path: String) async throws -> String {
        let profile = try await WireClient.get(site, path + "/profile.mobileconfig")
        #expect(profile.status == 200)
        #expect(profile.fields["content-type"] == "application/x-apple-aspen-config")
        let message = try SignedMessage(reading: profile.body)
        let content = try #require(message.content)
        let list = try PropertyList(reading: content, limits: .enrolment)
        #expect(list["PayloadType"]?.string == "Profile Service")
        let asked = list["PayloadContent"]?["DeviceAttributes"]?.strings
        #expect(asked == ["UDID", "PRODUCT", "VERSION"])
        #expect(list["PayloadContent"]?["URL"]?.string?.hasSuffix(path) == true)
        return try #require(list["PayloadContent"]?["Challenge"]?.string)
    }

    private static func post(
        _ site: TestSite,
        _ path: String,
        _ body: [UInt8],
        type: String = "application/pkcs7-signature",
    ) async throws -> WireResponse {
        try await WireClient.secure(site) { client in
            try await client.send(
                "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\n"
                    + "Content-Length: \(body.count)\r\n\r\n"
            )
            try await client.send(body)
            return try await client.response()
        }
    }

    private static func location(_ response: WireResponse) throws -> String {
        let url = try #require(response.fields["location"])
        return try #require(URL(string: url)?.path())
    }

    @Test(arguments: SampleDevice.Form.allCases)
    func `a phone goes from a link to a cookie`(_ form: SampleDevice.Form) async throws {
        try await Self.run { site in
            let app = try #require(BundleIdentifier("com.example.demo"))
            let issued = try Self.invite(site, app: app)
            let path = "/enrol/\(issued.token.text)"
            let page = try await WireClient.get(site, path)
            #expect(page.status == 200)
            #expect(page.text.contains("Ana&#39;s iPhone") || page.text.contains("Ana's iPhone"))
            let device = try SampleDevice(certifiedBy: Self.authority.get())
            let challenge = try await Self.challenge(site, path)
            let answer = try device.answer(challenge: challenge, form: form)
            let posted = try await Self.post(site, path, answer)
            #expect(posted.status == 301)
            let result = try Self.location(posted)
            #expect(!result.lowercased().contains(device.udid.lowercased()))
            let arrived = try await WireClient.get(site, result)
            #expect(arrived.status == 200)
            #expect(arrived.text.contains("iPhone 14 Pro"))
            #expect(arrived.text.contains("/apps/demo-co"))
            let cookie = arrived.fields["set-cookie"] ?? ""
            #expect(cookie.hasPrefix("ota_device="))
            #expect(cookie.contains("Secure; HttpOnly; SameSite=Lax"))
            #expect(!cookie.lowercased().contains(device.udid.lowercased()))
            let udid = try #require(DeviceUDID(device.udid))
            let known = try #require(try site.store.devices()[udid])
            #expect(known.state == .enrolled)
            #expect(known.name == "Ana's iPhone")
            #expect(known.model == "iPhone15,2")
            // A lost answer is sent again.
            let again = try await Self.post(site, path, answer)
            #expect(again.status == 301)
            #expect(try site.store.devices().devices.count == 1)
            let log = try await site.logText()
            #expect(!log.lowercased().contains(device.udid.lowercased()))
            #expect(!log.contains(issued.token.text))
            #expect(!log.contains(result.dropFirst("/enrolled/".count)), "it opens the session")
        }
    }

    @Test func `six digits lead to the link, once, and guessing ends`() async throws {
        try await Self.run { site in
            let issued = try Self.invite(site)
            let form = "application/x-www-form-urlencoded"
            let wrong = issued.code.digits == "000000" ? "111111" : "000000"
            let refused = try await Self.post(
                site,
                "/enrol",
                Array("code=\(wrong)".utf8),
                type: form,
            )
            #expect(refused.status == 403)
            #expect(refused.text.contains("role=\"alert\""))
            let typed = Array("code=\(issued.code.spaced.replacing(" ", with: "+"))".utf8)
            let right = try await Self.post(site, "/enrol", typed, type: form)
            #expect(right.status == 303)
            #expect(try await WireClient.get(site, Self.location(right)).status == 200)
            #expect(try await Self.post(site, "/enrol", typed, type: form).status == 403)
            var last = 0
            for _ in 0..<6 {
                last = try await Self.post(site, "/enrol", Array("code=1".utf8), type: form).status
            }
            #expect(last == 429)
        }
    }

    @Test func `an invitation lets one device in, and ends`() async throws {
        try await Self.run { site in
            let issued = try Self.invite(site)
            let path = "/enrol/\(issued.token.text)"
            let challenge = try await Self.challenge(site, path)
            let first = try SampleDevice(certifiedBy: Self.authority.get())
            _ = try await Self.post(site, path, first.answer(challenge: challenge))
            let second = try SampleDevice(
                certifiedBy: Self.authority.get(),
                udid: SampleDevices.list(2)[1],
            )
            let posted = try await Self.post(site, path, second.answer(challenge: challenge))
            #expect(posted.status == 301)
            let page = try await WireClient.get(site, Self.location(posted))
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
        try await Self.run { site in
            let app = try #require(BundleIdentifier("com.example.demo"))
            let issued = try Self.invite(site, app: app)
            let path = "/enrol/\(issued.token.text)"
            let device = try SampleDevice(certifiedBy: Self.authority.get())
            let challenge = try await Self.challenge(site, path)
            let posted = try await Self.post(site, path, device.answer(challenge: challenge))
            let arrived = try await WireClient.get(site, Self.location(posted))
            let cookie = try #require(arrived.fields["set-cookie"]).prefix { $0 != ";" }
            let own = try await WireClient.get(site, path, fields: ["Cookie": String(cookie)])
            #expect(own.status == 200)
            #expect(own.text.contains("Your team knows this device now"))
            #expect(own.text.contains("/apps/demo-co"))
            let unknown = try await WireClient.get(site, path)
            #expect(unknown.status == 410)
            #expect(unknown.text.contains("The invitation was used already."))
            #expect(unknown.text.contains("/apps/demo-co"))
            #expect(!unknown.text.contains("another device."))
            let udid = try #require(DeviceUDID(device.udid))
            try site.store.changeDevices { try $0.disable(udid, at: site.clock.now) }
            try await Task.sleep(for: .milliseconds(300))
            let gone = try await WireClient.get(site, Self.location(posted))
            #expect(gone.text.contains("Your team has taken this device out of use."))
        }
    }

    @Test func `a device that finds no room comes again with the same invitation`() async throws {
        try await Self.run { site in
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
            let issued = try Self.invite(site)
            let path = "/enrol/\(issued.token.text)"
            let device = try SampleDevice(
                certifiedBy: Self.authority.get(),
                udid: "00008130-000A1B2C3D4E5F99",
            )
            let challenge = try await Self.challenge(site, path)
            let full = try await Self.post(site, path, device.answer(challenge: challenge))
            let page = try await WireClient.get(site, Self.location(full))
            #expect(page.text.contains("Too many devices wait"))
            try site.store.changeDevices { register in
                for waiting in register.pending { try register.forget(waiting.udid) }
            }
            try await Task.sleep(for: .milliseconds(300))
            #expect(try await WireClient.get(site, path).status == 200, "begin again from there")
            let next = try await Self.challenge(site, path)
            let taken = try await Self.post(site, path, device.answer(challenge: next))
            #expect(
                try await WireClient.get(site, Self.location(taken)).text.contains(
                    "Your team knows this device now"
                )
            )
        }
    }

    @Test func `another site's form types no code`() async throws {
        try await Self.run { site in
            let issued = try Self.invite(site)
            let body = "code=\(issued.code.digits)"
            for (from, status) in [
                ("cross-site", 403), ("same-site", 403), ("same-origin", 303),
            ] {
                let answer = try await WireClient.secure(site) { client in
                    try await client.send(
                        "POST /enrol HTTP/1.1\r\nHost: localhost\r\nOrigin: null\r\n"
                            + "Sec-Fetch-Site: \(from)\r\n"
                            + "Content-Type: application/x-www-form-urlencoded\r\n"
                            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
                    )
                    return try await client.response()
                }
                #expect(answer.status == status, "\(from)")
            }
        }
    }

    @Test func `a late, a foreign and a forged answer change nothing`() async throws {
        try await Self.run { site in
            let issued = try Self.invite(site)
            let other = try Self.invite(site)
            let path = "/enrol/\(issued.token.text)"
            let challenge = try await Self.challenge(site, path)
            let device = try SampleDevice(certifiedBy: Self.authority.get())
            let foreign = try await Self.post(
                site,
                "/enrol/\(other.token.text)",
                device.answer(challenge: challenge),
            )
            #expect(foreign.status == 301)
            #expect(
                try await WireClient.get(site, Self.location(foreign)).text.contains(
                    "belongs to another invitation"
                )
            )
            let stranger = try SampleDevice(certifiedBy: DeviceAuthority())
            let forged = try await Self.post(site, path, stranger.answer(challenge: challenge))
            #expect(forged.status == 403)
            #expect(try await Self.post(site, path, [1, 2, 3]).status == 400)
            #expect(
                try await Self.post(site, path, Array(repeating: 0x30, count: 70_000)).status == 413
            )
            site.clock.advance(by: 16 * 60)
            let late = try await Self.post(site, path, device.answer(challenge: challenge))
            #expect(late.status == 301)
            #expect(
                try await WireClient.get(site, Self.location(late)).text.contains(
                    "installed too late"
                )
            )
            #expect(try site.store.devices().devices.isEmpty)
            #expect(try site.store.invitations().invitations.allSatisfy { $0.use == nil })
        }
    }

    @Test func `hundreds of damaged answers store nothing`() async throws {
        try await Self.run { site in
            let issued = try Self.invite(site)
            let path = "/enrol/\(issued.token.text)"
            let challenge = try await Self.challenge(site, path)
            let device = try SampleDevice(certifiedBy: Self.authority.get())
            let good = try device.answer(challenge: challenge)
            let content = device.content(challenge: challenge)
            let place = try #require(good.firstRange(of: content))
            var generator = SeededGenerator(seed: 40)
            for number in 0..<300 {
                var bad = good
                if number.isMultiple(of: 3) {
                    bad = Array(good.prefix(Int.random(in: 0..<good.count, using: &generator)))
                } else {
                    bad[Int.random(in: place, using: &generator)] ^= UInt8.random(
                        in: 1...255,
                        using: &generator,
                    )
                }
                let status = try await Self.post(site, path, bad).status
                #expect([400, 403, 413, 422].contains(status), "\(number): \(status)")
            }
            #expect(try site.store.devices().devices.isEmpty)
        }
    }
}
