import Bundles
import Foundation
import Identifiers
import Images
import Inspection
import Phone
import PropertyLists
import Publishing
import Releases
import Sample
import Testing

/// Browsey from end to end: an ordinary ad hoc build, with all of its special features.
@Suite(.timeLimit(.minutes(10)))
struct BrowseyTests {
    private let now = Date()

    @Test func `its seven keys are on the phone as they were in the build`() async throws {
        try await LiveServer.run { server in
            let browsey = try await server.publish(
                SampleApps.browsey(by: server.authority, at: now)
            )
            let phone = try await server.phone()
            let bytes = try await phone.bytes(from: server.page(of: browsey))
            #expect(bytes == browsey.bytes)
            let app = try InstalledApp(bytes)
            #expect(app.info("CFBundleDisplayName")?.string == "Browsey")
            #expect(
                app.info("NSCameraUsageDescription")?.string
                    == "Scan the QR code of a development server."
            )
            #expect(
                app.info("NSLocalNetworkUsageDescription")?.string
                    == "Find development servers on your network."
            )
            #expect(app.info("NSBonjourServices")?.strings == ["_browsey._tcp"])
            #expect(app.info("NSAppTransportSecurity")?["NSAllowsLocalNetworking"]?.boolean == true)
            #expect(app.info("UILaunchScreen")?["UIColorName"]?.string == "Background")
            #expect(app.info("UISupportedInterfaceOrientations")?.strings?.count == 3)
        }
    }

    @Test func `a static bundle of it installs from any HTTPS host`() async throws {
        try await StaticHost.run { host in
            let phone = host.phone
            let bytes = try await phone.bytes(from: host.base + "/install.html")
            #expect(bytes == host.bytes)
            #expect(
                try host.names() == [
                    "App.ipa", "help.html", "icon-512.png", "icon-57.png", "install.html",
                    "manifest.plist",
                ]
            )
            for (name, side) in [("icon-57.png", 57), ("icon-512.png", 512)] {
                let icon = Array(try Data(contentsOf: host.folder.appending(path: name)))
                let picture = try Raster(png: icon)
                #expect(picture.width == side && picture.height == side)
                #expect(!icon.prefix(32).contains(sequence: Array("CgBI".utf8)))
            }
        }
    }

    @Test func `the server gives both icons as ordinary PNG`() async throws {
        try await LiveServer.run { server in
            let browsey = try await server.publish(
                SampleApps.browsey(by: server.authority, at: now)
            )
            let phone = try await server.phone()
            let attempt = await phone.install(from: server.page(of: browsey))
            #expect(attempt.installs, "\(attempt.story)")
            #expect(attempt.step(.icons)?.outcome == .passed, "\(attempt.story)")
            let browser = try Browser(like: phone)
            let manifest = try await Manifest.on(server.page(of: browsey), browser)
            #expect(manifest.bundleIdentifier == "com.vforsh.browsey")
            for (kind, side) in [("display-image", 57), ("full-size-image", 512)] {
                let icon = try await browser.get(try #require(manifest.assets[kind]))
                #expect(icon.fields["content-type"] == "image/png")
                let picture = try Raster(png: icon.body)
                #expect(picture.width == side && picture.height == side)
            }
        }
    }

    @Test func `every one of its hundred devices installs, and no other`() async throws {
        try await LiveServer.run { server in
            let browsey = try await server.publish(
                SampleApps.browsey(by: server.authority, at: now)
            )
            let report = browsey.build.report
            #expect(report.profile?.devices?.count == 100)
            for udid in SampleDevices.list(100) {
                let listed = try #require(DeviceUDID(udid))
                let facts = DeviceFacts(udid: listed)
                #expect(report.verdict(for: facts, at: now).verdict == .installs)
            }
            let other = try #require(DeviceUDID(SampleDevices.unlisted))
            let judged = report.verdict(for: DeviceFacts(udid: other), at: now)
            #expect(judged.verdict == .blocked)
            #expect(judged.reasons.map(\.id) == ["device.not-in-profile"])

            let last = try await server.phone { $0.udid = DeviceUDID(SampleDevices.list(100)[99]) }
            #expect(try await last.bytes(from: server.page(of: browsey)) == browsey.bytes)
            let stranger = try await server.phone { $0.udid = other }
            let refused = await stranger.install(from: server.page(of: browsey))
            #expect(!refused.installs)
            #expect(refused.faultIDs.contains(.deviceMissing), "\(refused.story)")
        }
    }

    @Test func `its page warns before the year is over and says when it is`() async throws {
        try await LiveServer.run { server in
            let made = now.addingTimeInterval(-355 * 86_400)
            let ending = try await server.publish(
                SampleApps.browsey(by: server.authority, at: made).version("1.0", build: "1")
            )
            let phone = try await server.phone()
            let browser = try Browser(like: phone)
            let page = try await browser.get(server.page(of: ending))
            #expect(page.status == 200)
            #expect(page.text.contains("itms-services"))
            #expect(page.text.contains("in 10 days") || page.text.contains("in 9 days"))

            let long = now.addingTimeInterval(-400 * 86_400)
            let over = try await server.publish(
                SampleApps.simBridgeClient(by: server.authority, at: long),
                at: long.addingTimeInterval(86_400),
            )
            let dead = try await browser.get(server.page(of: over))
            #expect(dead.text.contains("cannot be installed"))
            #expect(dead.text.contains("expired"))
            #expect(!dead.text.contains("itms-services"))
            let attempt = await phone.install(from: server.page(of: over))
            #expect(!attempt.installs)
            #expect(attempt.failure?.name == .link)
        }
    }
}

extension Sequence<UInt8> {
    fileprivate func contains(sequence: [UInt8]) -> Bool {
        let all = Array(self)
        return all.indices.contains { all[$0...].starts(with: sequence) }
    }
}
