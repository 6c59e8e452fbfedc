import Bundles
import Cryptography
import Foundation
import Identifiers
import Phone
import Releases
import Sample
import Testing

/// The responses to a phone, an iPad and a desktop.
@Suite(.timeLimit(.minutes(10)))
struct PhoneAnswerTests {
    private let now = Date()

    @Test func `a phone that does not trust the authority is stopped before the page`() async throws
    {
        try await LiveServer.run { server in
            let build = try await server.publish(SampleApps.sample(by: server.authority, at: now))
            var phone = try await server.phone()
            phone.authorities = []
            let attempt = await phone.install(from: server.page(of: build))
            #expect(!attempt.installs)
            #expect(attempt.failure?.name == .trust)
            #expect(attempt.step(.page)?.outcome != .passed)
        }
    }

    @Test func `a phone sees nothing to complain about`() async throws {
        try await LiveServer.run { server in
            let build = try await server.publish(SampleApps.sample(by: server.authority, at: now))
            let phone = try await server.phone {
                $0.persistence = .reportsEverything
                $0.udid = DeviceUDID(SampleDevices.one)
            }
            let attempt = await phone.install(from: server.page(of: build))
            #expect(attempt.installs)
            #expect(attempt.faults.isEmpty, "\(attempt.story)")
            #expect(attempt.steps.allSatisfy { $0.outcome == .passed }, "\(attempt.story)")
        }
    }

    @Test func `an iPad that calls itself a Mac still gets the button`() async throws {
        try await LiveServer.run { server in
            let build = try await server.publish(SampleApps.pare(by: server.authority, at: now))
            let pad = try await server.phone {
                $0.family = .pad
                $0.pageAgent =
                    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 "
                    + "(KHTML, like Gecko) Version/18.1 Safari/605.1.15"
            }
            #expect(try await pad.bytes(from: server.page(of: build)) == build.bytes)
        }
    }

    @Test func `HEAD tells what GET sends`() async throws {
        try await LiveServer.run { server in
            let build = try await server.publish(SampleApps.sample(by: server.authority, at: now))
            let phone = try await server.phone()
            let browser = try Browser(like: phone)
            let manifest = try await Manifest.on(server.page(of: build), browser)
            let head = try await browser.get(manifest.archive, method: "HEAD")
            let whole = try await browser.get(manifest.archive)
            for name in ["content-length", "content-type", "etag", "accept-ranges"] {
                #expect(head.fields[name] == whole.fields[name], "\(name)")
                #expect(head.fields[name] != nil, "\(name)")
            }
            #expect(head.fields["content-length"] == "\(build.bytes.count)")
            #expect(head.fields["content-type"] == "application/octet-stream")
            #expect(whole.body == build.bytes)
            #expect(whole.fields["set-cookie"] == nil)
            let manifestHead = try await browser.get(manifest.url, method: "HEAD")
            #expect(manifestHead.status == 200)
        }
    }

    @Test func `a phone with an older system is told why not`() async throws {
        try await LiveServer.run { server in
            let build = try await server.publish(SampleApps.pare(by: server.authority, at: now))
            let phone = try await server.phone { $0.os = OSVersion(major: 15, minor: 7) }
            let attempt = await phone.install(from: server.page(of: build))
            #expect(!attempt.installs)
            #expect(attempt.faultIDs.contains(.systemTooOld), "\(attempt.story)")
        }
    }

    @Test func `the plain port gives the authority and leads everything else to TLS`() async throws
    {
        try await LiveServer.run { server in
            let build = try await server.publish(SampleApps.sample(by: server.authority, at: now))
            let browser = try Browser(like: try await server.phone())
            let trust = try await browser.get(server.plainBase + "/trust")
            #expect(trust.status == 200)
            #expect(trust.text.contains("authority.mobileconfig"))
            let page = try await browser.get(server.plainBase + "/apps/\(build.app.slug)")
            #expect((301...308).contains(page.status))
            #expect(page.fields["location"] == server.page(of: build))
            let manifest = try await Manifest.on(server.page(of: build), browser)
            let plain = manifest.archive.replacing(server.base, with: server.plainBase)
            #expect(try await browser.get(plain).body.count < 10_000)
        }
    }

    @Test func `names that need escaping arrive as they are`() async throws {
        let name = "Käse & “Brot” <b>🍞</b> שלום"
        try await LiveServer.run { server in
            let build = try await server.publish(
                SampleApps.sample(by: server.authority, at: now).displayName(name)
            )
            let phone = try await server.phone()
            let attempt = await phone.install(from: server.page(of: build))
            #expect(attempt.installs, "\(attempt.story)")
            #expect(attempt.installation?.title == name)
            let page = try await Browser(like: phone).get(server.page(of: build))
            #expect(!page.text.contains("<b>🍞"))
        }
    }
}
