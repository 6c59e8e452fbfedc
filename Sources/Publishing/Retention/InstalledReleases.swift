package import Essentials
package import Identifiers
package import Releases
import Store

/// Which releases are installed somewhere, as far as the journals of installs tell.
///
/// A device has what it downloaded last as a whole. Of a device that the server does not know, or has
/// forgotten, no one can say what it downloaded next, so what it has counts for ``unknownDays``.
package struct InstalledReleases: Sendable {
    /// How many days a download by an unknown device counts as installed.
    package static let unknownDays = 90

    private var known: [BundleIdentifier: [String: ReleaseIdentifier]] = [:]
    private var unknown: [BundleIdentifier: [ReleaseIdentifier: Date]] = [:]

    package init() {}

    /// Takes in what a phone fetched; the oldest comes first.
    package mutating func note(_ attempt: InstallAttempt) {
        guard attempt.outcome == .downloaded else { return }
        // The name of a device that was erased is written over with zeros.
        if let device = attempt.device, device.contains(where: { $0 != "0" }) {
            known[attempt.app, default: [:]][device] = attempt.release
        } else {
            unknown[attempt.app, default: [:]][attempt.release] = attempt.ended
        }
    }

    /// On how many known devices each release of an app is.
    package func devices(of app: BundleIdentifier) -> [ReleaseIdentifier: Int] {
        (known[app] ?? [:]).values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// When an unknown device downloaded a release last, if that still counts.
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
    /// What is installed somewhere; reads the journals of installs piece by piece.
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
