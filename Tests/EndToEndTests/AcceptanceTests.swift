import Bundles
import Foundation
import Identifiers
import Inspection
import Phone
import PropertyLists
import Publishing
import Releases
import Sample
import Testing

/// The apps for which `ota` was written, each from the build to the phone.
@Suite(.timeLimit(.minutes(10)))
struct AcceptanceTests {
    private let now = Date()

    @Test func `Pare installs on an iPhone and on an iPad`() async throws {
        try await LiveServer.run { server in
            let pare = try await server.publish(SampleApps.pare(by: server.authority, at: now))
            #expect(pare.build.report.identity.families == ["iphone", "ipad"])
            for family in [DeviceFamily.phone, .pad] {
                let phone = try await server.phone { $0.family = family }
                #expect(try await phone.bytes(from: server.page(of: pare)) == pare.bytes)
            }
        }
    }

    @Test func `BrowserSelector keeps its entitlement and its 21 schemes`() async throws {
        try await LiveServer.run { server in
            let selector = try await server.publish(
                SampleApps.browserSelector(by: server.authority, at: now)
            )
            let phone = try await server.phone()
            let bytes = try await phone.bytes(from: server.page(of: selector))
            #expect(bytes == selector.bytes)
            let app = try InstalledApp(bytes)
            #expect(app.info("LSApplicationQueriesSchemes")?.strings?.count == 21)
            #expect(app.info("LSApplicationQueriesSchemes")?.strings == SampleApps.browserSchemes)
            let types = try #require(app.info("CFBundleURLTypes")?.array)
            #expect(types.first?["CFBundleURLSchemes"]?.strings == ["http", "https"])
            #expect(try app.entitlement("com.apple.developer.web-browser")?.boolean == true)
        }
    }

    @Test func `SimBridge Client and Host live on one server under names of their own`()
        async throws
    {
        try await LiveServer.run { server in
            let client = try await server.publish(
                SampleApps.simBridgeClient(by: server.authority, at: now)
            )
            let host = try await server.publish(
                SampleApps.simBridgeHost(by: server.authority, at: now)
            )
            #expect(client.app.slug != host.app.slug)
            let phone = try await server.phone()
            let pad = try await server.phone { $0.family = .pad }
            async let first = phone.bytes(from: server.page(of: client))
            async let second = pad.bytes(from: server.page(of: host))
            #expect(try await first == client.bytes)
            #expect(try await second == host.bytes)
            let start = try await Browser(like: phone).get(server.base + "/")
            #expect(start.text.contains("/apps/\(client.app.slug)"))
            #expect(start.text.contains("/apps/\(host.app.slug)"))
            let wrong = await phone.install(from: server.page(of: host))
            #expect(wrong.faultIDs.contains(.wrongFamily), "\(wrong.story)")
        }
    }

    @Test func `Forks brings its nested bundles, each with its own profile`() async throws {
        try await LiveServer.run { server in
            let forks = try await server.publish(SampleApps.forks(by: server.authority, at: now))
            let nested = forks.build.report.nested
            let kinds = Dictionary(grouping: nested, by: \.kind).mapValues(\.count)
            #expect(kinds == [.appExtension: 4, .watchApplication: 1, .framework: 1])
            let own = try nested.filter { $0.kind != .framework }.map { bundle in
                let identifier = try #require(bundle.bundleIdentifier)
                #expect(identifier.hasPrefix("com.example.forks."))
                #expect(bundle.version == "3.1.0")
                let profile = try #require(bundle.profile, "\(bundle.path)")
                #expect(profile.verified)
                #expect(profile.applicationIdentifier?.hasSuffix("." + identifier) == true)
                return profile.uuid
            }
            #expect(Set(own).count == 5)
            let phone = try await server.phone()
            #expect(try await phone.bytes(from: server.page(of: forks)) == forks.bytes)
        }
    }

    @Test func `the newcomer's sample installs`() async throws {
        try await LiveServer.run { server in
            let sample = try await server.publish(SampleApps.sample(by: server.authority, at: now))
            let phone = try await server.phone { $0.udid = DeviceUDID(SampleDevices.one) }
            #expect(try await phone.bytes(from: server.page(of: sample)) == sample.bytes)
        }
    }
}
