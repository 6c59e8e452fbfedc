import Bundles
package import Essentials
package import Identifiers
package import Inspection
package import Releases
package import Store

/// The result of promoting a release to a channel.
package struct Promotion: Sendable {
    /// The changed app.
    package let app: AppRecord
    /// Findings about the release compared with what the channel offered before, such as that its version
    /// is not higher.
    package let findings: [Finding]
    /// The release that the channel offered before; nil if there was none, or it is the same.
    package let previous: ReleaseIdentifier?
}

extension OTAStore {
    /// Promotes an existing release to a channel.
    ///
    /// - Parameters:
    ///   - release: the release.
    ///   - app: its app.
    ///   - channel: the channel.
    ///   - life: how long the channel lasts from now on; nil leaves its end unchanged.
    ///   - actor: the user who promotes it.
    ///   - date: the current time.
    /// - Returns: what changed.
    /// - Throws: ``ReleaseRefusal`` if the app or release does not exist, the release is withdrawn, or the
    ///   channel has ended and gets no new end, or cannot end.
    @discardableResult
    package func promote(
        _ release: ReleaseIdentifier,
        of app: BundleIdentifier,
        to channel: ChannelName,
        lasting life: ChannelLife? = nil,
        by actor: String,
        at date: Date,
    ) throws -> Promotion {
        let end = life?.end(from: date)
        func check(_ app: AppRecord) throws(ReleaseRefusal) {
            if end != nil { try ReleaseRefusal.checkEnd(of: channel, in: app) }
            try ReleaseRefusal.checkOpening(of: channel, until: end, in: app, at: date)
        }
        guard let record = try self.app(app, isCurrent: true) else {
            throw ReleaseRefusal.unknownApp(app.rawValue)
        }
        try check(record)
        let found = try join(release, of: app, to: channel, by: actor, at: date)
        let findings = try comparison(of: found, with: channel)
        var previous: ReleaseIdentifier?
        var previousEnd: Date?
        func promoted(_ release: ReleaseIdentifier) -> Activity {
            Activity(
                date: date,
                actor: actor,
                event: .promoted,
                app: app.rawValue,
                subject: release.rawValue,
                detail: channel.rawValue,
            )
        }
        let after = try changeApp(app) {
            try check($0)
            (previous, previousEnd) = ($0.channels[channel], $0.end(of: channel))
            $0.offer(release, on: channel, until: end)
        } recording: {
            [promoted(release)]
        }
        let offered = try releaseAsOffered(release, of: app)
        guard let offered, offered.withdrawal == nil else {
            // The release was pruned or withdrawn at this moment, perhaps through another server.
            try changeApp(app) {
                guard $0.channels[channel] == release else { return }
                $0.channels[channel] = previous
                $0.channelEnds?[channel] = previousEnd
            } recording: {
                previous.map { [promoted($0)] } ?? []
            }
            throw offered == nil
                ? ReleaseRefusal.unknownRelease(release) : ReleaseRefusal.withdrawn(release)
        }
        if previous == release { previous = nil }
        return Promotion(app: after, findings: findings, previous: previous)
    }

    /// Records in a release that it is promoted to a channel.
    ///
    /// Another server may have withdrawn the release since this one last read it, so the record itself
    /// decides. A release that was withdrawn when its channel ended is restored, because it can be promoted
    /// as it was tested there.
    private func join(
        _ release: ReleaseIdentifier,
        of app: BundleIdentifier,
        to channel: ChannelName,
        by actor: String,
        at date: Date,
    ) throws -> Release {
        var isRestored = false
        return try changeRelease(release, of: app) {
            isRestored = $0.withdrawal != nil
            guard $0.withdrawal == nil || $0.withdrawal?.endedChannel != nil else {
                throw ReleaseRefusal.withdrawn(release)
            }
            $0.withdrawal = nil
            $0.join(channel)
        } recording: {
            isRestored ? [.restored(release, of: app, by: actor, at: date)] : []
        }.release
    }

    /// Compares a release with what a channel now offers; ``promote(_:of:to:lasting:by:at:)`` returns the
    /// same findings.
    ///
    /// An unreadable report must not keep a release from being promoted, as with ``history(for:on:)``.
    package func comparison(
        of release: Release,
        with channel: ChannelName,
    ) throws(StoreFailure) -> [Finding] {
        guard let report = try? report(of: release) else { return [] }
        return report.findings(against: try history(for: report, on: channel))
    }
}
