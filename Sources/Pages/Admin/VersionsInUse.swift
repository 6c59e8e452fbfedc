import Bytes
package import Releases

/// Which versions of an app the known devices have, from what each fetched last.
package struct VersionsInUse: Sendable {
    let rows: [Row]
    /// Such as `on 12 devices`.
    let total: String
    /// What versions beyond those shown come to; nil where all are shown.
    let rest: String?

    struct Row: Sendable {
        let version: String
        /// Nil for a release that was removed.
        let url: String?
        let count: String
        let share: String
        let bar: ShareBar
    }

    /// Versions that are named one by one.
    private static let most = 8

    /// Nil where no known device has fetched any.
    ///
    /// - Parameters:
    ///   - attempts: of the app, the newest first.
    ///   - url: gives the page of a release; nil for one that was removed.
    package init?(
        _ attempts: [InstallAttempt],
        url: (ReleaseIdentifier) throws -> String?,
    ) rethrows {
        var seen: Set<String> = []
        var counts: [ReleaseIdentifier: Int] = [:]
        // In the order of the last install, which is about that of the versions.
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
                share: "\(count * 100 / all) %",
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
