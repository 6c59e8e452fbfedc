import Bundles
import Foundation
import Identifiers
import Inspection
import Publishing
import Releases
import Sample
import Store
import TestSupport
import Testing

/// What a publish reports about a build because of what is already in the store.
struct HistoryTests {
    private let date = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func `a first build and a better one are compared without a finding`() async throws {
        try await withRoom { room in
            let first = try room.publish(room.browsey())
            let second = try room.publish(newer(room))
            #expect(history(of: first).isEmpty && history(of: second).isEmpty)
        }
    }

    @Test func `a version that is not above is said and stored, once and on its channel`()
        async throws
    {
        try await withRoom { room in
            _ = try room.publish(room.browsey())
            let blobs = try room.store.backend.blobs()
            let older = try room.browsey().version("1.3.9", build: "99")
            let rehearsed = try room.publish(older) { $0.isDryRun = true }
            #expect(history(of: rehearsed) == ["history.version-not-above"])
            #expect(try room.store.backend.blobs() == blobs)

            let beta = try room.publish { $0.channel = try #require(ChannelName("beta")) }
            #expect(history(of: beta).isEmpty)
            let other = try room.publish(room.browsey().version("1.3.8", build: "1"))
            #expect(history(of: other) == ["history.version-not-above"])
            #expect(try room.store.report(of: other.release) == other.report)

            let after = try room.store.backend.blobs()
            let again = try room.publish()
            #expect(!again.isCreated && again.release == other.release)
            #expect(try room.store.backend.blobs() == after)
            #expect(try room.store.report(of: again.release) == other.report)
        }
    }

    @Test func `a build is compared with what its channel offers`() async throws {
        try await withRoom { room in
            _ = try room.publish(room.browsey())
            try register(["16.4", "17.0", "15.0"], in: room)
            let newer = try newer(room)

            let moved = try room.publish(newer.editingProfile { $0.prefix = "OLDPREFIX1" }, dryly)
            #expect(history(of: moved) == ["history.application-identifier-changed"])

            let shrunk = try room.publish(newer.editingProfile { $0.devices.removeLast(7) }, dryly)
            #expect(history(of: shrunk) == ["history.profile-shrunk"])
            #expect(sentence(of: shrunk).hasPrefix("7 of the 100 devices "))

            let raised = try room.publish(newer.minimumOS("17.0"), dryly)
            #expect(history(of: raised) == ["history.minimum-os-raised"])
            #expect(sentence(of: raised).contains(": 1 device runs an older version "))

            let other = try room.browsey().displayName("Other")
            let replaced = try room.publish(other) { $0.replace = true }
            #expect(history(of: replaced) == ["history.version-not-above"])
        }
    }

    @Test func `an extension may not have another app's identifier, nor the other way round`()
        async throws
    {
        try await withRoom { room in
            let outer = try room.publish(room.browsey().nesting(.widget("Tile")))
            #expect(history(of: outer).isEmpty)
            let inner = try room.publish(app("com.vforsh.browsey.Tile", room))
            #expect(history(of: inner) == ["history.identifier-taken"])
            let beside = try room.publish(app("com.vforsh.browseyTile", room))
            #expect(history(of: beside).isEmpty)
            let again = try room.publish(newer(room).nesting(.widget("Tile")), dryly)
            #expect(history(of: again) == ["history.identifier-taken"])
        }
    }

    @Test func `a damaged earlier report keeps no build back`() async throws {
        try await withRoom { room in
            let first = try room.publish(room.browsey())
            let blob = try room.store.open(first.release.report)
            try Data("{}".utf8).write(to: URL(filePath: #require(blob.path)))
            let older = try room.publish(room.browsey().version("1.3.9", build: "99"))
            #expect(older.isCreated && history(of: older).isEmpty)
        }
    }

    private func newer(_ room: PublishingRoom) throws -> IPABuilder {
        try room.browsey().version("1.5.0", build: "28")
    }

    private func app(_ identifier: String, _ room: PublishingRoom) -> IPABuilder {
        IPABuilder("Other", identifier: identifier, by: room.authority, at: room.date)
    }

    /// Registers the first of the devices in every build's profile, with these versions of iOS.
    private func register(_ systems: [String], in room: PublishingRoom) throws {
        try room.store.changeDevices { register in
            for (udid, system) in zip(SampleDevices.list(systems.count), systems) {
                let device = Device(
                    udid: try #require(DeviceUDID(udid)),
                    name: "device with \(system)",
                    family: .iphone,
                    os: OSVersion(system),
                    added: date,
                )
                try register.add(device, at: date)
            }
        }
    }

    private func dryly(_ options: inout PublishOptions) { options.isDryRun = true }

    private func sentence(of build: PublishedBuild) -> String {
        build.report.findings.first { $0.id.hasPrefix("history.") }?.message ?? ""
    }

    private func history(of build: PublishedBuild) -> [String] {
        build.report.findings.map(\.id).filter { $0.hasPrefix("history.") }
    }

    private func withRoom(_ body: (PublishingRoom) throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            try body(PublishingRoom(in: folder, at: date))
        }
    }
}
