import Bundles
import Foundation
import Identifiers
import Phone
import Sample
import TestSupport
import Testing

/// From an invitation to an installed build, using only links.
@Suite(.timeLimit(.minutes(10)))
struct EnrolmentTests {
    private struct Invited: Decodable {
        let url, codeURL, code: String
    }

    private struct Listed: Decodable {
        struct Row: Decodable {
            let udid, name, family, state: String
            let model: String?
        }

        let devices: [Row]
    }

    private struct Published: Decodable {
        let url: String
    }

    /// A person with a device.
    private struct Tester {
        let name: String
        let device: SampleDevice
        var phone: SimulatedPhone

        mutating func enrol(from page: String, code: String? = nil) async -> EnrolmentAttempt {
            let device = device
            return await phone.enrol(from: page, code: code) { request in
                try device.answer(challenge: request.challenge ?? "")
            }
        }
    }

    private static let udids = Array(SampleDevices.list(4).suffix(2))

    private static func testers(
        _ server: ServedStore,
        _ devices: DeviceAuthority,
    ) async throws -> [Tester] {
        var testers: [Tester] = []
        for (index, product) in ["iPhone15,2", "iPad13,4"].enumerated() {
            let downloads = server.folder.appending(path: "phone-\(index)")
            try FileManager.default.createDirectory(
                at: downloads,
                withIntermediateDirectories: true,
            )
            var phone = SimulatedPhone(downloads: downloads)
            phone.family = index == 0 ? .phone : .pad
            phone.udid = DeviceUDID(udids[index])
            let trusting = await phone.trustServer(server.plainBase)
            try #require(trusting.outcome == .passed, "\(trusting.detail)")
            let device = try SampleDevice(
                certifiedBy: devices,
                udid: udids[index],
                product: product,
            )
            testers.append(
                Tester(
                    name: index == 0 ? "Ana's iPhone" : "Ben's iPad",
                    device: device,
                    phone: phone,
                )
            )
        }
        return testers
    }

    @Test func `an iPhone and an iPad go from an invitation to an installed build`() async throws {
        let devices = try DeviceAuthority()
        let log = try await ServedStore.run(believing: devices) { server in
            var testers = try await Self.testers(server, devices)
            let now = Date()
            let account = "Device ID\tDevice Name\n\(SampleDevices.one)\tCleo's iPhone\n"
            try Data(account.utf8).write(to: server.folder.appending(path: "account.txt"))
            let imported = try await server.ota("devices", "import", "account.txt", "--registered")
            try #require(imported.status == 0, "\(imported.errors)")

            try await Self.enrol(&testers, server)
            let url = try await Self.lack(
                SampleApps.sample(by: server.authority, at: now),
                testers,
                server,
            )
            let pages = try testers.map { try OpenPage(url, on: $0.phone) }
            for page in pages {
                _ = try await page.text("the page waits for the team") {
                    $0.contains("waiting for your team to approve it")
                }
            }
            try await pages[0].hears("Ana's page hears that her device was approved") {
                try await pages[1].hears("Ben's page hears it too") {
                    try await Self.approve(testers, server)
                }
            }
            for page in pages {
                _ = try await page.text("the page waits for a build") {
                    $0.contains(
                        "This build was made without your device."
                    )
                        && !$0.contains("itms-services")
                }
            }
            let builder = SampleApps.sample(by: server.authority, at: now, devices: Self.udids)
                .version("1.1", build: "2")
            try await pages[0].hears("Ana's page hears of the build") {
                try await pages[1].hears("Ben's page hears of it too") {
                    try await Self.publish(builder, testers, server)
                }
            }
            for (page, tester) in zip(pages, testers) {
                let text = try await page.text("the page has the button") {
                    $0.contains("Made for this device.") && $0.contains("itms-services")
                }
                #expect(text.contains("1.1"))
                try await page.hears("the page hears of its own install") {
                    let bytes = Array(
                        try Data(contentsOf: server.folder.appending(path: "listing.ipa"))
                    )
                    #expect(try await tester.phone.bytes(from: url) == bytes)
                }
                _ = try await page.text("the page says that the app was fetched") {
                    $0.contains("This device has downloaded the whole app")
                }
            }
        }
        #expect(log.split(separator: "\n").count > 3)
        #expect(log.contains("/enrol/"), "the log tells of enrolments")
        let flat = log.lowercased().replacing("-", with: "")
        for udid in Self.udids {
            #expect(!flat.contains(udid.lowercased().replacing("-", with: "")))
        }
    }

    /// Two testers enrol: one by the link, the other by the QR code.
    private static func enrol(_ testers: inout [Tester], _ server: ServedStore) async throws {
        for index in testers.indices {
            let invited = try await server.json(
                "devices",
                "invite",
                "--name",
                testers[index].name,
                "--base-url",
                server.base,
                as: Invited.self,
            )
            let attempt =
                index == 0
                ? await testers[index].enrol(from: invited.url)
                : await testers[index].enrol(from: invited.codeURL, code: invited.code)
            #expect(attempt.arrives, "\(attempt.steps.story)")
            #expect(attempt.faults.isEmpty, "\(attempt.steps.story)")
            #expect(attempt.step(.profileSignature)?.facts.first == "Verified")
            let html = try #require(attempt.arrival?.html)
            #expect(html.contains("This device is enrolled and waiting for approval"))
            #expect(testers[index].phone.cookies.names.contains("__Host-ota_device"))
        }
        let listed = try await server.json("devices", "list", as: Listed.self).devices
        for tester in testers {
            let row = try #require(listed.first { $0.udid == tester.device.udid })
            #expect(row.state == "enrolled")
            #expect(row.name == tester.name)
            #expect(row.model == tester.device.product)
            #expect(row.family == (tester.phone.family == .pad ? "ipad" : "iphone"))
        }
    }

    /// Publishes a build that does not list their devices, as all of them are shown.
    private static func lack(
        _ builder: IPABuilder,
        _ testers: [Tester],
        _ server: ServedStore,
    ) async throws -> String {
        try await server.build("lacking.ipa", builder)
        let published = try await server.json(
            "publish",
            "lacking.ipa",
            "--trusted-ca",
            "anchor.pem",
            as: Published.self,
        )
        let check = try await server.ota("devices", "check", "sample")
        #expect(check.status == 0)
        for tester in testers {
            let udid = tester.device.udid
            let verdict = try await server.verdict("lacking.ipa", for: udid)
            #expect(verdict.status == 1)
            #expect(verdict.output.contains("device.not-in-profile"))
            let line = try #require(Self.line(of: tester.name, in: check.output))
            #expect(line.contains("blocked"))
            let attempt = await tester.phone.install(from: published.url)
            #expect(!attempt.installs)
            #expect(attempt.step(.link)?.outcome == .failed, "\(attempt.story)")
        }
        return published.url
    }

    /// Approves the devices; the file for Apple lists exactly those that the account lacks.
    private static func approve(_ testers: [Tester], _ server: ServedStore) async throws {
        let before = try await server.ota("devices", "export")
        #expect(before.output.split(separator: "\n").count == 1)
        let approved = try await server.ota("devices", "approve", "--all")
        #expect(approved.status == 0, "\(approved.errors)")
        let file = try await server.ota("devices", "export")
        let lines = file.output.split(separator: "\n").map { $0.split(separator: "\t") }
        #expect(lines.first == ["Device ID", "Device Name", "Device Platform"])
        #expect(Set(lines.dropFirst().map { String($0[0]) }) == Set(udids))
        #expect(Set(lines.dropFirst().map { String($0[1]) }) == Set(testers.map(\.name)))
        #expect(lines.dropFirst().allSatisfy { $0.last == "ios" })
        try Data(file.output.utf8).write(to: server.folder.appending(path: "devices.txt"))
        let registered = try await server.ota("devices", "import", "devices.txt", "--registered")
        #expect(registered.status == 0, "\(registered.errors)")
        let after = try await server.ota("devices", "export")
        #expect(after.output.split(separator: "\n").count == 1)
    }

    /// Publishes a build that lists their devices.
    private static func publish(
        _ builder: IPABuilder,
        _ testers: [Tester],
        _ server: ServedStore,
    ) async throws {
        try await server.build("listing.ipa", builder)
        _ = try await server.json("publish", "listing.ipa", as: Published.self)
        let check = try await server.ota("devices", "check", "sample")
        for tester in testers {
            let udid = tester.device.udid
            let verdict = try await server.verdict("listing.ipa", for: udid)
            #expect(verdict.status == 0, "\(verdict.output)")
            let line = try #require(Self.line(of: tester.name, in: check.output))
            #expect(line.contains("installs"))
        }
    }

    private static func line(of name: String, in text: String) -> Substring? {
        text.split(separator: "\n").first { $0.hasPrefix(name) }
    }
}
