import Bundles
import Foundation
import Identifiers
import Phone
import Sample
import TestSupport
import Testing

/// SimBridge: two related apps on one server, paired devices, live events and history.
@Suite(.timeLimit(.minutes(10)))
struct SimBridgeTests {
    private struct Invited: Decodable {
        let codeURL, code: String
    }

    private struct Published: Decodable {
        let url: String
    }

    private struct Token: Decodable {
        let secret: String
    }

    @Test func `siblings are paired by a code, told about live, and keep their history`()
        async throws
    {
        let devices = try DeviceAuthority()
        _ = try await ServedStore.run(believing: devices) { server in
            let client = try await Self.publish(
                SampleApps.simBridgeClient(by: server.authority, at: Date()),
                as: "client.ipa",
                server,
            )
            let host = try await Self.publish(
                SampleApps.simBridgeHost(by: server.authority, at: Date()),
                as: "host.ipa",
                server,
            )
            let phone = try await Self.paired(server, devices)
            let browser = try Browser(like: phone)
            let token = try await server.json(
                "tokens",
                "create",
                "--name",
                "board",
                "--scope",
                "admin",
                as: Token.self,
            ).secret
            let bearer = ["Authorization": "Bearer \(token)"]

            let place = try await Self.lastEvent(browser, server, bearer)
            let newer = SampleApps.simBridgeClient(by: server.authority, at: Date())
                .version("0.9.1", build: "91")
            _ = try await Self.publish(newer, as: "newer.ipa", server)
            let told = try await browser.listen(
                to: server.base + "/events",
                for: 3,
                fields: bearer.merging(["Last-Event-ID": place]) { _, new in new },
            )
            #expect(told.contains("\"event\":\"published\""), "what was missed is told: \(told)")
            #expect(told.contains("com.example.simbridge.client"))

            let bytes = Array(
                try Data(contentsOf: server.folder.appending(path: "newer.ipa"))
            )
            #expect(try await phone.bytes(from: client) == bytes)
            let history = try await browser.get(client + "/history")
            #expect(history.text.contains("0.9.0") && history.text.contains("0.9.1"))
            let sibling = try await browser.get(host + "/history")
            #expect(sibling.text.contains("0.9.0") && !sibling.text.contains("0.9.1"))
        }
    }

    /// Publishes a build and returns the URL of its page.
    private static func publish(
        _ builder: IPABuilder,
        as name: String,
        _ server: ServedStore,
    ) async throws -> String {
        try await server.build(name, builder)
        return try await server.json(
            "publish",
            name,
            "--trusted-ca",
            "anchor.pem",
            "--base-url",
            server.base,
            as: Published.self,
        ).url
    }

    /// Returns a phone that was admitted with six digits.
    private static func paired(
        _ server: ServedStore,
        _ devices: DeviceAuthority,
    ) async throws -> SimulatedPhone {
        let downloads = server.folder.appending(path: "phone")
        try FileManager.default.createDirectory(at: downloads, withIntermediateDirectories: true)
        var phone = SimulatedPhone(downloads: downloads)
        phone.os = OSVersion(major: 26, minor: 0)
        phone.udid = DeviceUDID(SampleDevices.one)
        let trusting = await phone.trustServer(server.plainBase)
        try #require(trusting.outcome == .passed, "\(trusting.detail)")
        let invited = try await server.json(
            "devices",
            "invite",
            "--name",
            "Ana's iPhone",
            "--base-url",
            server.base,
            as: Invited.self,
        )
        let device = try SampleDevice(
            certifiedBy: devices,
            udid: SampleDevices.one,
            product: "iPhone15,2",
        )
        let attempt = await phone.enrol(from: invited.codeURL, code: invited.code) { request in
            try device.answer(challenge: request.challenge ?? "")
        }
        #expect(attempt.arrives, "\(attempt.steps.story)")
        let approved = try await server.ota("devices", "approve", "--all")
        #expect(approved.status == 0, "\(approved.errors)")
        return phone
    }

    /// Listens for a moment until the connection is cut; returns the ID of the last event.
    private static func lastEvent(
        _ browser: Browser,
        _ server: ServedStore,
        _ bearer: [String: String],
    ) async throws -> String {
        async let listening = browser.listen(to: server.base + "/events", for: 4, fields: bearer)
        try await Task.sleep(for: .seconds(1))
        let renamed = try await server.ota("devices", "rename", SampleDevices.one, "Ana's phone")
        #expect(renamed.status == 0, "\(renamed.errors)")
        let heard = try await listening
        let place = heard.split(separator: "\n").last { $0.hasPrefix("id: ") }?.dropFirst(4)
        return String(try #require(place, "\(heard)"))
    }
}
