package import Essentials
package import Identifiers
package import Releases
import Store

/// The releases that are installed on devices, according to the install journals.
///
/// A device has the release that it last downloaded completely. For devices that the server does not know,
/// or has forgotten, later downloads cannot be attributed, so a download counts for ``unknownDays``.
package struct InstalledReleases: Sendable {
    /// The number of days for which a download by an unknown device counts as installed.
    package static let unknownDays = 90

    private var known: [BundleIdentifier: [String: ReleaseIdentifier]] = [:]
    private var unknown: [BundleIdentifier: [ReleaseIdentifier: Date]] = [:]

    package init() {}

    /// Adds an install attempt; the oldest must come first.
    package mutating func note(_ attempt: InstallAttempt) {
        guard attempt.outcome == .downloaded else { return }
        // The reference of an erased device is overwritten with zeros.
        if let device = attempt.device, device.contains(where: { $0 != "0" }) {
            known[attempt.app, default: [:]][device] = attempt.release
        } else {
            unknown[attempt.app, default: [:]][attempt.release] = attempt.ended
        }
    }

    /// The number of known devices that have each release of an app.
    package func devices(of app: BundleIdentifier) -> [ReleaseIdentifier: Int] {
        (known[app] ?? [:]).values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// When an unknown device last downloaded a release, if that still counts.
    package func lastDownload(
        of release: ReleaseIdentifier,
        of app: BundleIdentifier,
        at date: Date,
    ) -> Date? {
        guard let last = unknown[app]?[release],
            date.timeIntervalSince(last) < Double(Self.unknownDays) * 86_400
        else { return nil }
        return last
    }
}

extension OTAStore {
    /// The installed releases; reads the install journals piece by piece.
    func installedReleases() throws(StoreFailure) -> InstalledReleases {
        var installed = InstalledReleases()
        var place = ActivityCursor(beginningOfMonth: Date(timeIntervalSince1970: 0))
        while let next = try followInstalls(from: place, count: 5_000) {
            for attempt in next.found { installed.note(attempt) }
            place = next.end
        }
        return installed
    }
}
