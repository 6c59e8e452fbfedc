import Bundles
import Cryptography
package import Identifiers
package import Inspection
package import Releases

extension OTAStore {
    /// A release; with `isCurrent`, the back end is asked even if it was a moment ago.
    package func release(
        _ identifier: ReleaseIdentifier,
        of app: BundleIdentifier,
        isCurrent: Bool = false,
    ) throws(StoreFailure) -> Release? {
        try value(Release.self, .release(identifier, of: app), isCurrent: isCurrent)
    }

    /// What a channel offers; nil when the app has no such channel.
    package func release(
        on channel: ChannelName,
        of app: AppRecord,
    ) throws(StoreFailure) -> Release? {
        guard let identifier = app.channels[channel] else { return nil }
        return try release(identifier, of: app.bundleIdentifier)
    }

    /// The names of an app's releases, highest version first, without reading any of them.
    package func releaseIdentifiers(
        of app: BundleIdentifier
    ) throws(StoreFailure) -> [ReleaseIdentifier] {
        let folder = try DocumentName.releases(of: app)
        let sorted = try cache.value(folder) { () throws(StoreFailure) in
            let names = ReleaseNames(sorting: try backend.knownNames(in: folder))
            return (names, names.identifiers.reduce(0) { $0 + 16 + $1.rawValue.utf8.count })
        }
        return sorted?.identifiers ?? []
    }

    /// One page of an app's releases, highest version first: at most `count` behind the first
    /// `offset`, and none beyond the last; those that cannot be read are in ``releaseListing(of:offset:count:)``.
    package func releases(
        of app: BundleIdentifier,
        offset: Int = 0,
        count: Int = .max,
    ) throws(StoreFailure) -> [Release] {
        try releaseListing(of: app, offset: offset, count: count).releases
    }

    /// The same, and why some cannot be read: one damaged record keeps no other release from view.
    package func releaseListing(
        of app: BundleIdentifier,
        offset: Int = 0,
        count: Int = .max,
    ) throws(StoreFailure) -> (releases: [Release], failures: [StoreFailure]) {
        var releases: [Release] = []
        var failures: [StoreFailure] = []
        for identifier in try releaseIdentifiers(of: app).dropFirst(offset).prefix(count) {
            do throws(StoreFailure) {
                // Without one it was pruned between the listing and now.
                if let release = try release(identifier, of: app) { releases.append(release) }
            } catch {
                guard error.concernsOnePlace else { throw error }
                failures.append(error)
            }
        }
        return (releases, failures)
    }

    /// The inspection report that was made when the release was published.
    ///
    /// From memory when it was read before: what a digest names never changes.
    package func report(of release: Release) throws(StoreFailure) -> InspectionReport {
        if let report = reports[release.report] { return report }
        let bytes = try self.bytes(of: release.report)
        let report = try DocumentCoding.value(
            InspectionReport.self,
            from: bytes,
            path: "blobs/sha256/\(release.report)",
        )
        reports.keep(report, for: release.report, size: bytes.count)
        return report
    }
}

/// The names in a folder of releases, in the order of their versions.
struct ReleaseNames: Sendable {
    let identifiers: [ReleaseIdentifier]

    init(sorting names: [String]) {
        let suffix = ".json"
        identifiers =
            names
            .compactMap {
                $0.hasSuffix(suffix) ? ReleaseIdentifier(String($0.dropLast(suffix.count))) : nil
            }
            .map { (key: VersionKey($0), identifier: $0) }
            .sorted { $1.key < $0.key }
            .map(\.identifier)
    }
}

/// Orders `1.10-2` behind `1.9-30`: numbers by value, anything else as text.
private struct VersionKey: Comparable {
    private let parts: [[Part]]

    private enum Part: Comparable {
        case text(String)
        case number(Int)
    }

    init(_ identifier: ReleaseIdentifier) {
        parts = identifier.rawValue.split(separator: "-").map { side in
            side.split(separator: ".").map { Int($0).map(Part.number) ?? .text(String($0)) }
        }
    }

    static func < (left: VersionKey, right: VersionKey) -> Bool {
        for (one, other) in zip(left.parts, right.parts) where one != other {
            return one.lexicographicallyPrecedes(other)
        }
        return left.parts.count < right.parts.count
    }
}
