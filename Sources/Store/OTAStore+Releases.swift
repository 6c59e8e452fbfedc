import Bundles
import Cryptography
package import Identifiers
package import Inspection
package import Releases

extension OTAStore {
    /// A release; with `isCurrent`, the backend is asked even if it was asked a moment ago.
    package func release(
        _ identifier: ReleaseIdentifier,
        of app: BundleIdentifier,
        isCurrent: Bool = false,
    ) throws(StoreFailure) -> Release? {
        try value(Release.self, .release(identifier, of: app), isCurrent: isCurrent)
    }

    /// The release that a channel offers; nil if the app has no such channel.
    package func release(
        on channel: ChannelName,
        of app: AppRecord,
    ) throws(StoreFailure) -> Release? {
        guard let identifier = app.channels[channel] else { return nil }
        return try release(identifier, of: app.bundleIdentifier)
    }

    /// The identifiers of an app's releases, highest version first, without reading the releases.
    package func releaseIdentifiers(
        of app: BundleIdentifier
    ) throws(StoreFailure) -> [ReleaseIdentifier] {
        try releaseNames(of: app)?.identifiers ?? []
    }

    /// Whether an app has a release with this identifier, without reading it.
    package func hasRelease(
        _ identifier: ReleaseIdentifier,
        of app: BundleIdentifier,
    ) throws(StoreFailure) -> Bool {
        try releaseNames(of: app)?.contains(identifier) ?? false
    }

    private func releaseNames(of app: BundleIdentifier) throws(StoreFailure) -> ReleaseNames? {
        let folder = try DocumentName.releases(of: app)
        return try cache.value(folder) { () throws(StoreFailure) in
            let names = ReleaseNames(sorting: try backend.knownNames(in: folder))
            return (names, names.identifiers.reduce(0) { $0 + 16 + $1.rawValue.utf8.count })
        }
    }

    /// One page of an app's releases, highest version first: at most `count` after the first `offset`.
    ///
    /// Releases that cannot be read are left out; see ``releaseListing(of:offset:count:)``.
    package func releases(
        of app: BundleIdentifier,
        offset: Int = 0,
        count: Int = .max,
    ) throws(StoreFailure) -> [Release] {
        try releaseListing(of: app, offset: offset, count: count).releases
    }

    /// The same page, and why some releases cannot be read: one damaged record does not hide the others.
    package func releaseListing(
        of app: BundleIdentifier,
        offset: Int = 0,
        count: Int = .max,
    ) throws(StoreFailure) -> (releases: [Release], failures: [StoreFailure]) {
        var releases: [Release] = []
        var failures: [StoreFailure] = []
        for identifier in try releaseIdentifiers(of: app).dropFirst(offset).prefix(count) {
            do throws(StoreFailure) {
                // Nil if it was pruned after the listing.
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
    /// Cached, because the content of a digest never changes.
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

/// The names in a folder of releases, highest version first.
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

    /// Uses binary search, because there may be a hundred thousand names.
    func contains(_ identifier: ReleaseIdentifier) -> Bool {
        let key = VersionKey(identifier)
        var (low, high) = (0, identifiers.count)
        while low < high {
            let middle = (low + high) / 2
            if key < VersionKey(identifiers[middle]) { low = middle + 1 } else { high = middle }
        }
        return identifiers[low...].prefix { !(VersionKey($0) < key) }.contains(identifier)
    }
}

/// A sort key that orders `1.9-30` before `1.10-2`: numeric parts by value, other parts as text and before
/// any number.
private struct VersionKey: Comparable {
    /// Bytes that sort like the key: a part that ends sorts before one that continues.
    private var bytes: [UInt8] = []

    private static let end: UInt8 = 0
    private static let text: UInt8 = 1
    private static let number: UInt8 = 2

    init(_ identifier: ReleaseIdentifier) {
        let name = Array(identifier.rawValue.utf8)
        for side in name.split(separator: UInt8(ascii: "-")) {
            for part in side.split(separator: UInt8(ascii: ".")) { append(part) }
            bytes.append(Self.end)
        }
    }

    private mutating func append(_ part: ArraySlice<UInt8>) {
        if let value = Self.value(of: part) {
            bytes.append(Self.number)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
            }
        } else {
            bytes.append(Self.text)
            bytes += part
            bytes.append(Self.end)
        }
    }

    /// Nil for anything but a number of at most 18 digits.
    private static func value(of part: ArraySlice<UInt8>) -> UInt64? {
        guard part.count <= 18 else { return nil }
        var value: UInt64 = 0
        for byte in part {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + UInt64(byte - UInt8(ascii: "0"))
        }
        return value
    }

    static func < (left: VersionKey, right: VersionKey) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
