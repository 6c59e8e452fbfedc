import Bundles
import Foundation
import Identifiers
import Inspection
import Notices
import Releases
import StoreFixtures
import Testing

/// What expires, where it is used, and whether any channel still offers it.
struct TimelineTests {
    private static let day: TimeInterval = 86_400
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func date(_ days: Double) -> Date { now.addingTimeInterval(days * Self.day) }

    private func certificate(_ name: String, _ days: Double) -> CertificateSummary {
        CertificateSummary(
            name: name,
            serial: "0\(name.utf8.count)",
            begins: date(-300),
            expires: date(days),
        )
    }

    private func profile(
        _ uuid: String,
        _ days: Double,
        _ certificates: [CertificateSummary] = [],
    ) -> ProfileSummary {
        ProfileSummary(
            uuid: uuid,
            name: "Profile \(uuid)",
            type: .adHoc,
            team: "ABCDE12345",
            teamName: "Example",
            applicationIdentifier: nil,
            created: date(-300),
            expires: date(days),
            devices: [],
            trust: .apple,
            certificates: certificates,
        )
    }

    private func signature(_ signers: [CertificateSummary]) -> SignatureSummary {
        SignatureSummary(
            path: "Payload/Forks.app/Forks",
            identifier: "com.example.forks",
            team: "ABCDE12345",
            codeHash: nil,
            signers: signers,
            isIntact: true,
            slices: [],
            entitlements: [],
        )
    }

    /// The report on Forks with a widget that has its own profile.
    private func report(
        app: ProfileSummary,
        widget: ProfileSummary? = nil,
        signers: [CertificateSummary] = [],
    ) throws -> InspectionReport {
        let base = try StoredRelease().report
        let nested = widget.map {
            NestedBundle(
                path: base.identity.path + "/PlugIns/Widget.appex",
                kind: .appExtension,
                bundleIdentifier: "com.example.forks.widget",
                version: "1.0",
                build: "1",
                profile: $0,
            )
        }
        return InspectionReport(
            identity: base.identity,
            profile: app,
            signature: signers.isEmpty ? nil : signature(signers),
            nested: nested.map { [$0] } ?? [],
            findings: [],
            inspected: now,
            installsUntil: nil,
        )
    }

    private func offer(
        _ report: InspectionReport,
        on channels: [ChannelName] = [.stable],
        isWithdrawn: Bool = false,
    ) throws -> ExpiryTimeline.Offer {
        var release = Release(
            report: report,
            identity: Release.Identity(
                bundleIdentifier: try StoredRelease().identifier,
                name: "Forks",
                version: "1.0",
                build: "1",
                families: [.phone],
            ),
            artifact: Release.Artifact(
                sha256: report.identity.sha256,
                size: 1,
                chunks: Release.ChunkDigests(size: 1, digests: []),
                icons: Release.Icons(
                    small: report.identity.sha256,
                    large: report.identity.sha256,
                ),
                report: report.identity.sha256,
            ),
            publication: Release.Publication(date: now, publisher: "a test", channel: .stable),
        )
        if isWithdrawn {
            release.withdrawal = Release.Withdrawal(date: now, actor: "a test", reason: "broken")
        }
        return ExpiryTimeline.Offer(release: release, channels: channels, report: report)
    }

    private func timeline(
        _ prepare: (inout ExpiryTimeline.Material) throws -> Void
    ) rethrows -> ExpiryTimeline {
        var material = ExpiryTimeline.Material()
        try prepare(&material)
        return ExpiryTimeline(of: material, at: now)
    }

    @Test func `profiles of nested bundles and every certificate are there`() throws {
        let signing = certificate("Signing", 20)
        let authority = certificate("Authority", 900)
        let root = certificate("The root", 5)
        let app = profile("A", 100, [signing, certificate("Not the signer's", 3)])
        let report = try report(
            app: app,
            widget: profile("WIDGET", 10),
            signers: [signing, authority, root],
        )
        let beta = try #require(ChannelName("beta"))
        let timeline = try timeline { $0.offers = [try offer(report, on: [.stable, beta])] }
        #expect(
            timeline.items.map(\.name) == [
                "Not the signer's", "Profile WIDGET", "Signing", "Profile A", "Authority",
            ]
        )
        // A root's own expiry does not matter, and a certificate that did not sign affects nothing.
        let inUse = timeline.due(within: 1000 * Self.day, of: now)
        #expect(inUse.map(\.name) == ["Profile WIDGET", "Signing", "Profile A", "Authority"])
        let place = try #require(inUse.first?.places.first)
        #expect(place.bundle.hasSuffix("Widget.appex"))
        #expect(place.channels == [beta, .stable])
    }

    @Test func `a profile that only past releases carry is listed and not in use`() throws {
        var profiles = ProfileRegister()
        let app = try StoredRelease().identifier
        let use = ProfileRecord.Use(
            app: app,
            release: ReleaseIdentifier(version: "0.9", build: "1"),
            bundle: "Payload/Forks.app",
        )
        profiles.note(profile("OLD", 2), in: use)
        let timeline = timeline { $0.profiles = profiles }
        let item = try #require(timeline.items.first)
        #expect(!item.isInUse && item.places.first?.channels == [])
        #expect(item.apps == [app])
        #expect(timeline.due(within: 30 * Self.day, of: now).isEmpty)
    }

    @Test func `a channel that still offers an older release keeps its profile in use`() throws {
        // The register remembers only a profile's newest release; what is offered counts.
        var profiles = ProfileRegister()
        let shared = profile("SHARED", 5)
        let newer = ProfileRecord.Use(
            app: try StoredRelease().identifier,
            release: ReleaseIdentifier(version: "2.0", build: "9"),
            bundle: "Payload/Forks.app",
        )
        profiles.note(shared, in: newer)
        let timeline = try timeline {
            $0.profiles = profiles
            $0.offers = [try offer(report(app: shared))]
        }
        let item = try #require(timeline.due(within: 30 * Self.day, of: now).first)
        #expect(item.places.map(\.release.rawValue) == ["1.0-1", "2.0-9"])
        #expect(item.places.map(\.channels) == [[.stable], []])
    }

    @Test func `a withdrawn release keeps nothing in use`() throws {
        let report = try report(app: profile("A", 5))
        let timeline = try timeline { $0.offers = [try offer(report, isWithdrawn: true)] }
        #expect(timeline.due(within: 30 * Self.day, of: now).isEmpty)
    }

    @Test func `without a proven signer the last certificate that may have signed decides`() throws
    {
        let early = certificate("Early", 4)
        let late = certificate("Late one", 9)
        let report = try report(app: profile("A", 100, [late, early]))
        let timeline = try timeline { $0.offers = [try offer(report)] }
        #expect(timeline.due(within: 30 * Self.day, of: now).map(\.name) == ["Late one"])
    }

    @Test func `a profile added by hand is watched before any build has it`() {
        var profiles = ProfileRegister()
        profiles.note(profile("NEW", 6, [certificate("Signing", 8)]), in: nil)
        let timeline = timeline { $0.profiles = profiles }
        #expect(
            timeline.due(within: 30 * Self.day, of: now).map(\.name) == ["Profile NEW", "Signing"]
        )
        #expect(timeline.due(within: 7 * Self.day, of: now).map(\.kind) == [.profile])
    }

    @Test func `the server's certificate is part of it`() {
        let timeline = timeline {
            $0.serverCertificate = ExpiryTimeline.ServerCertificate(
                name: "ota.example.com",
                fingerprint: "00",
                begins: date(-60),
                expires: date(12),
            )
        }
        #expect(timeline.items.map(\.kind) == [.serverCertificate])
    }
}
