import Bundles
import Cryptography
package import Foundation
package import Identifiers
package import Inspection
package import Releases
package import Store

/// A minimal release, for tests of what happens after the inspection.
package struct StoredRelease: Sendable {
    package var app = "com.example.forks"
    package var name = "Forks"
    package var version = "1.0"
    package var build = "1"
    package var channel = ChannelName.stable
    /// The beginning of the IPA.
    package var contents = "an IPA"
    /// The size of the IPA in bytes; it begins with ``contents``.
    package var size = 2_000
    /// The commit from which it was built.
    package var commit: String?
    package var origin: BuildOrigin?
    package var date = Date(timeIntervalSince1970: 1_800_000_000)

    package init() {}

    package enum Failure: Error {
        case badIdentifier
    }

    package var identifier: BundleIdentifier {
        get throws {
            guard let identifier = BundleIdentifier(app) else { throw Failure.badIdentifier }
            return identifier
        }
    }

    /// The IPA's bytes.
    package var archive: [UInt8] {
        let head = Array(contents.utf8)
        return head + [UInt8](repeating: 0x2E, count: max(0, size - head.count))
    }

    /// Stores the blobs and publishes the release.
    package func publish(
        into store: OTAStore,
        replace: Bool = false,
        until end: Date? = nil,
    ) throws -> OTAStore.Publication {
        let report = try report
        return try store.publish(
            try release(report: report, into: store),
            report: report,
            replace: replace,
            until: end,
        )
    }

    /// Stores the blobs and returns the release's record.
    package func release(report: InspectionReport, into store: OTAStore) throws -> Release {
        let digest = try store.put(archive)
        return Release(
            report: report,
            identity: Release.Identity(
                bundleIdentifier: try identifier,
                name: name,
                version: version,
                build: build,
                families: [.phone],
            ),
            artifact: Release.Artifact(
                sha256: digest,
                size: archive.count,
                chunks: Release.ChunkDigests(size: 10 << 20, digests: [digest]),
                icons: Release.Icons(
                    small: try store.put(Array("small icon of \(app)".utf8)),
                    large: try store.put(Array("large icon of \(app)".utf8)),
                ),
                report: try store.put(OTAStore.encoded(report)),
            ),
            publication: Release.Publication(
                date: date,
                publisher: "a test",
                channel: channel,
                commit: commit,
                origin: origin,
            ),
        )
    }

    package var report: InspectionReport {
        get throws {
            InspectionReport(
                identity: AppIdentity(
                    bundleIdentifier: try identifier,
                    name: name,
                    version: version,
                    build: build,
                    minimumOS: "15.0",
                    families: ["iphone"],
                    size: archive.count,
                    sha256: SHA256Digest(of: archive),
                    path: "Payload/\(name).app",
                ),
                profile: profile,
                nested: [],
                findings: [],
                inspected: date,
                installsUntil: date.addingTimeInterval(100 * 86_400),
            )
        }
    }

    private var profile: ProfileSummary {
        ProfileSummary(
            uuid: "11111111-2222-3333-4444-\(app.utf8.count)",
            name: "Profile of \(app)",
            type: .adHoc,
            team: "ABCDE12345",
            teamName: "Example",
            applicationIdentifier: "ABCDE12345.\(app)",
            created: date,
            expires: date.addingTimeInterval(100 * 86_400),
            devices: [],
            trust: .apple,
            certificates: [],
        )
    }
}
