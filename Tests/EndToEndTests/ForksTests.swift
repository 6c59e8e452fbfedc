import Bundles
import Foundation
import Identifiers
import Inspection
import OTAServer
import Phone
import Publishing
import Releases
import Sample
import Testing

/// Forks: nested bundles with a profile each, from a server on the team's own machines.
@Suite(.timeLimit(.minutes(10)))
struct ForksTests {
    private let now = Date()

    @Test(.enabled(if: ReverseProxy.isHere, "nginx is not on this machine"))
    func `it installs through a reverse proxy that has its own name, path and certificate`()
        async throws
    {
        let proxy = try ReverseProxy()
        let log = try await LiveServer.run { configuration in
            configuration.baseURL = try? BaseURL(proxy.base)
            configuration.trustedProxies = ["127.0.0.1"]
        } _: { server in
            let forks = try await server.publish(SampleApps.forks(by: server.authority, at: now))
            try await proxy.run(to: server.addresses.port, in: server.folder) {
                let downloads = server.folder.appending(path: "phone")
                try FileManager.default.createDirectory(
                    at: downloads,
                    withIntermediateDirectories: true,
                )
                var phone = SimulatedPhone(downloads: downloads, trusting: [proxy.root])
                phone.udid = DeviceUDID(SampleDevices.one)
                phone.os = OSVersion(major: 26, minor: 0)
                #expect(server.page(of: forks).hasPrefix(proxy.base + "/apps/"))
                #expect(try await phone.bytes(from: server.page(of: forks)) == forks.bytes)
                let start = try await Browser(like: phone).get(proxy.base + "/")
                #expect(start.text.contains(proxy.base + "/apps/\(forks.app.slug)"))
            }
        }
        #expect(log.contains("/install/"))
    }

    @Test(arguments: ["ForksWidget", "ForksShare", "ForksLiveActivity", "ForksWatch"])
    func `a device that one nested profile lacks is told which`(_ name: String) async throws {
        let everybody = SampleDevices.list(30)
        let left = try #require(everybody.last.flatMap { DeviceUDID($0) })
        try await LiveServer.run { server in
            let short = ProfileBuilder(
                .adHoc,
                devices: Array(everybody.dropLast()),
                created: now,
            )
            let builder = SampleApps.forks(by: server.authority, at: now).editing { builder in
                for index in builder.app.nested.indices
                where builder.app.nested[index].name == name {
                    builder.app.nested[index].profile = short
                }
            }
            let forks = try await server.publish(builder)
            let report = forks.build.report
            for udid in everybody.compactMap({ DeviceUDID($0) }) {
                let device = DeviceFacts(
                    udid: udid,
                    family: .phone,
                    os: OSVersion(major: 26, minor: 0),
                    model: "iPhone15,2",
                )
                let verdict = report.verdict(for: device, at: now)
                #expect(verdict.verdict == (udid == left ? .blocked : .installs))
                guard udid == left else { continue }
                #expect(Set(verdict.reasons.map(\.id)) == ["device.not-in-nested-profile"])
                #expect(verdict.reasons.first?.place.contains(name) == true)
            }
            let phone = try await server.phone { $0.udid = left }
            let attempt = await phone.install(from: server.page(of: forks))
            #expect(!attempt.installs)
            #expect(attempt.story.contains(name), "\(attempt.story)")
        }
    }
}
