import Bytes
package import Releases

/// The versions of an app on known devices, derived from each device's last download.
package struct VersionsInUse: Sendable {
    let rows: [Row]
    /// Such as `on 12 devices`.
    let total: String
    /// The number of devices with other versions; nil if all versions are shown.
    let rest: String?

    struct Row: Sendable {
        let version: String
        /// Nil for a release that was removed.
        let url: String?
        let count: String
        let share: String
        let bar: ShareBar
    }

    /// The most versions that are shown individually.
    private static let most = 8

    /// Creates the statistics; nil if no known device has downloaded the app.
    ///
    /// - Parameters:
    ///   - attempts: the app's install attempts, newest first.
    ///   - url: returns the path of a release's page; nil for a release that was removed.
    package init?(
        _ attempts: [InstallAttempt],
        url: (ReleaseIdentifier) throws -> String?,
    ) rethrows {
        var seen: Set<String> = []
        var counts: [ReleaseIdentifier: Int] = [:]
        // In the order of the last install, which is roughly that of the versions.
        var order: [ReleaseIdentifier] = []
        for attempt in attempts where attempt.outcome == .downloaded {
            guard let device = attempt.device, seen.insert(device).inserted else { continue }
            if counts[attempt.release] == nil { order.append(attempt.release) }
            counts[attempt.release, default: 0] += 1
        }
        guard !seen.isEmpty else { return nil }
        let all = seen.count
        rows = try order.prefix(Self.most).map { release in
            let count = counts[release] ?? 0
            return Row(
                version: release.words,
                url: try url(release),
                count: count.grouped,
                share: "\(count * 100 / all)%",
                bar: ShareBar(
                    count,
                    of: all,
                    label: "\(release.words): \(count.grouped) of \(all.grouped)",
                    tone: "accent",
                ),
            )
        }
        total = "on \(Wording.count(all, "device"))"
        let others = order.dropFirst(Self.most).reduce(0) { $0 + (counts[$1] ?? 0) }
        rest =
            others == 0
            ? nil : "\(Wording.count(others, "device")) with earlier versions."
    }
}
