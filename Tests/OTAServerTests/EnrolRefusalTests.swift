import Enrolment
import Essentials
import Releases
import Sample
import Store
import TestSupport
import Testing

/// Requests that do not add a device to the register.
@Suite(.timeLimit(.minutes(10)))
struct EnrolRefusalTests {
    @Test func `another site's form types no code`() async throws {
        try await TestSite.enrolling { site in
            let issued = try site.invite()
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
        try await TestSite.enrolling { site in
            let issued = try site.invite()
            let other = try site.invite()
            let path = "/enrol/\(issued.token.text)"
            let challenge = try await site.challenge(path)
            let device = try SampleDevice(certifiedBy: TestSite.deviceAuthority.get())
            let foreign = try await site.post(
                "/enrol/\(other.token.text)",
                device.answer(challenge: challenge),
            )
            #expect(foreign.status == 301)
            #expect(
                try await WireClient.get(site, foreign.location()).text.contains(
                    "belongs to another invitation"
                )
            )
            let stranger = try SampleDevice(certifiedBy: DeviceAuthority())
            let forged = try await site.post(path, stranger.answer(challenge: challenge))
            #expect(forged.status == 403)
            #expect(try await site.post(path, [1, 2, 3]).status == 400)
            #expect(
                try await site.post(path, Array(repeating: 0x30, count: 70_000)).status == 413
            )
            site.clock.advance(by: 16 * 60)
            let late = try await site.post(path, device.answer(challenge: challenge))
            #expect(late.status == 301)
            #expect(
                try await WireClient.get(site, late.location()).text.contains(
                    "installed too late"
                )
            )
            #expect(try site.store.devices().devices.isEmpty)
            #expect(try site.store.invitations().invitations.allSatisfy { $0.use == nil })
        }
    }

    @Test func `an expired invitation names its day, and a late answer the problem`() async throws {
        try await TestSite.enrolling { site in
            let issued = try site.invite()
            let path = "/enrol/\(issued.token.text)"
            let expired = issued.invitation.expires
            site.clock.advance(by: expired.timeIntervalSince(issued.invitation.created) - 60)
            let device = try SampleDevice(certifiedBy: TestSite.deviceAuthority.get())
            let answer = try device.answer(challenge: try await site.challenge(path))
            site.clock.advance(by: 120)
            let page = try await WireClient.get(site, path)
            #expect(page.status == 410)
            #expect(page.text.contains("The invitation expired on \(Wording.day(expired))."))
            #expect(page.text.contains("data-problem=\"invitation.expired\""))
            let late = try await site.post(path, answer)
            #expect(late.status == 301)
            let result = try await WireClient.get(site, late.location())
            #expect(result.text.contains("data-problem=\"enrolment.expired-challenge\""))
        }
    }

    @Test func `hundreds of damaged answers store nothing`() async throws {
        try await TestSite.enrolling { site in
            let issued = try site.invite()
            let path = "/enrol/\(issued.token.text)"
            let challenge = try await site.challenge(path)
            let device = try SampleDevice(certifiedBy: TestSite.deviceAuthority.get())
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
                let status = try await site.post(path, bad).status
                #expect([400, 403, 413, 422].contains(status), "\(number): \(status)")
            }
            #expect(try site.store.devices().devices.isEmpty)
        }
    }
}
