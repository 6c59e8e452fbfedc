import Bundles
import Foundation
import Identifiers
import Phone
import Sample
import TestSupport
import Testing

/// Apps that are not open to everyone with the link, from the command line to the phone.
@Suite(.timeLimit(.minutes(10)))
struct ClosedAppTests {
    private struct Published: Decodable {
        let url: String
    }

    private static func phone(_ server: ServedStore) async throws -> SimulatedPhone {
        let downloads = server.folder.appending(path: "phone")
        try FileManager.default.createDirectory(at: downloads, withIntermediateDirectories: true)
        var phone = SimulatedPhone(downloads: downloads)
        let trusting = await phone.trustServer(server.plainBase)
        try #require(trusting.outcome == .passed, "\(trusting.detail)")
        return phone
    }

    private static func publish(_ server: ServedStore) async throws -> String {
        let builder = SampleApps.sample(
            by: server.authority,
            at: Date(),
            devices: [SampleDevices.one],
        )
        try await server.build("build.ipa", builder)
        return try await server.json(
            "publish",
            "build.ipa",
            "--trusted-ca",
            "anchor.pem",
            "--base-url",
            server.base,
            as: Published.self,
        ).url
    }

    @Test func `who knows the passphrase installs, and nobody else`() async throws {
        _ = try await ServedStore.run(believing: DeviceAuthority()) { server in
            let url = try await Self.publish(server)
            let words = "tabs in the dark"
            try Data((words + "\n").utf8).write(to: server.folder.appending(path: "words"))
            let set = try await server.ota(
                "apps",
                "set",
                "sample",
                "--access",
                "passphrase",
                "--passphrase-file",
                "words",
            )
            #expect(set.status == 0, "\(set.errors)")
            #expect(!set.output.contains(words))
            let phone = try await Self.phone(server)
            let browser = try Browser(like: phone)
            var page = try await browser.get(url)
            try await eventually("the page is closed") {
                page = try await browser.get(url)
                return page.status == 403
            }
            #expect(await !phone.install(from: url).installs)
            let field = try #require(page.fields["set-cookie"]?.prefix { $0 != ";" })
            let code = page.text.components(separatedBy: "name=\"form\" value=\"").last?
                .prefix { $0 != "\"" }
            let form = "form=\(try #require(code))&passphrase=tabs+in+the+dark"
            let answer = try await browser.post(url, form, fields: ["Cookie": String(field)])
            #expect(answer.status == 303)
            #expect(answer.fields["location"] == url)
            let cookie = try #require(answer.fields["set-cookie"]?.prefix { $0 != ";" })
            let open = try await browser.get(url, fields: ["Cookie": String(cookie)])
            let link = open.text.components(separatedBy: "href=\"itms-services").dropFirst().first
            let path = "itms-services" + (try #require(link?.prefix { $0 != "\"" }))
            let attempt = await phone.install(from: path.replacing("&amp;", with: "&"))
            #expect(attempt.installs, "\(attempt.story)")
            // A new passphrase revokes the access that the old one gave.
            try Data("tabs in the morning".utf8).write(to: server.folder.appending(path: "words"))
            _ = try await server.ota("apps", "set", "sample", "--passphrase-file", "words")
            try await eventually("the cookie is worth nothing") {
                try await browser.get(url, fields: ["Cookie": String(cookie)]).status == 403
            }
        }
    }

    @Test func `an enrolled app is for devices that the team approved`() async throws {
        let devices = try DeviceAuthority()
        _ = try await ServedStore.run(believing: devices) { server in
            let url = try await Self.publish(server)
            let set = try await server.ota("apps", "set", "sample", "--access", "enrolled")
            #expect(set.status == 0, "\(set.errors)")
            var phone = try await Self.phone(server)
            phone.udid = DeviceUDID(SampleDevices.one)
            let stranger = try Browser(like: phone)
            try await eventually("the page is closed") {
                try await stranger.get(url).status == 403
            }
            #expect(try await stranger.get(url).text.contains("/enrol"))
            let invited = try await server.ota(
                "devices",
                "invite",
                "--name",
                "Ana's iPhone",
                "--base-url",
                server.base,
                "--json",
            )
            let invitation = try JSONDecoder().decode(
                Published.self,
                from: Data(invited.output.utf8),
            )
            let device = try SampleDevice(certifiedBy: devices, udid: SampleDevices.one)
            let enrolment = await phone.enrol(from: invitation.url, code: nil) { request in
                try device.answer(challenge: request.challenge ?? "")
            }
            #expect(enrolment.arrives, "\(enrolment.steps.story)")
            let page = try OpenPage(url, on: phone)
            let waiting = try await page.text("the page waits") {
                $0.contains("Waiting for your team")
            }
            #expect(!waiting.contains("itms-services"))
            try await page.hears("the page hears of the approval") {
                _ = try await server.ota("devices", "approve", "--all")
            }
            _ = try await page.text("the page has the button") { $0.contains("itms-services") }
            let attempt = await phone.install(from: url)
            #expect(attempt.installs, "\(attempt.story)")
        }
    }
}
