import Bundles
package import Essentials
package import Identifiers
package import Releases
package import Store

/// The result of ending a channel.
package struct ChannelEnding: Sendable, Equatable {
    package let channel: ChannelName
    /// When the channel ended, now or earlier; nil if there is no such channel, or its end is no longer
    /// recorded.
    package let date: Date?
    /// Whether this call ended the channel.
    package let isNew: Bool
    /// The releases that were withdrawn with it, because no other channel offers them.
    package let withdrawn: [ReleaseIdentifier]
}

/// Ends channels: first in the app's record, in one step with the activity, then in the records of
/// the releases that no other channel offers.
///
/// If the process stops between the two, the channel stays marked as unfinished, and the next call
/// continues.
package struct ChannelCloser: Sendable {
    /// The actor in the activity if a server ends a channel at its end date.
    package static let server = "ota"

    private let store: OTAStore
    private let app: BundleIdentifier
    private let actor: String
    private let date: Date

    /// - Parameters:
    ///   - app: the channel's app.
    ///   - store: the store with the app.
    ///   - actor: a token's name, the user of the command line, or ``server``.
    ///   - date: the current time.
    package init(of app: BundleIdentifier, in store: OTAStore, by actor: String, at date: Date) {
        self.store = store
        self.app = app
        self.actor = actor
        // Documents have whole seconds.
        self.date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    }

    /// Ends a channel.
    ///
    /// If there is no such channel, nothing changes: a CI job may run again, and a pull request may be
    /// closed before a build of it is published.
    ///
    /// - Throws: ``ReleaseRefusal/unknownApp(_:)``, ``ReleaseRefusal/lastingChannel(_:)``, and
    ///   ``StoreFailure``.
    package func end(_ channel: ChannelName) throws -> ChannelEnding {
        try end(channel, because: nil) { app in
            guard app.channels[channel] != nil || channel == .stable else { return false }
            try ReleaseRefusal.checkEnd(of: channel, in: app)
            return true
        }
    }

    /// Ends a channel if its end date has passed, and withdraws any of its releases that remain.
    ///
    /// - Returns: nil if another publish has moved the end date in the meantime.
    /// - Throws: ``StoreFailure``.
    package func endIfDue(_ channel: ChannelName) throws -> ChannelEnding? {
        let ending = try end(channel, because: "its time is up") { $0.isOver(channel, at: date) }
        return ending.isNew || !ending.withdrawn.isEmpty ? ending : nil
    }

    private func end(
        _ channel: ChannelName,
        because reason: String?,
        _ ends: (AppRecord) throws -> Bool,
    ) throws -> ChannelEnding {
        guard try store.app(app, isCurrent: true) != nil else {
            throw ReleaseRefusal.unknownApp(app.rawValue)
        }
        var isNew = false
        let record = try store.changeApp(app) { record in
            isNew = try ends(record)
            if isNew { isNew = record.end(channel, as: EndedChannel(date: date, actor: actor)) }
        } recording: {
            [
                Activity(
                    date: date,
                    actor: actor,
                    event: .channelEnded,
                    app: app.rawValue,
                    subject: channel.rawValue,
                    detail: reason,
                )
            ]
        }
        guard let ended = record.endedChannels?[channel] else {
            return ChannelEnding(channel: channel, date: nil, isNew: false, withdrawn: [])
        }
        let withdrawn =
            ended.isOpen == true ? try withdrawReleases(of: channel, ended, record) : []
        return ChannelEnding(
            channel: channel,
            date: ended.date,
            isNew: isNew,
            withdrawn: withdrawn,
        )
    }

    /// Withdraws releases that were published on the channel, or promoted to it, before it ended, and that
    /// no channel offers now.
    ///
    /// Releases that a lasting channel has offered stay.
    private func withdrawReleases(
        of channel: ChannelName,
        _ ended: EndedChannel,
        _ app: AppRecord,
    ) throws -> [ReleaseIdentifier] {
        let isThereAgain = app.channels[channel] != nil
        let lasting = app.channels.keys.filter(app.lasts)
        let withdrawal = Release.Withdrawal(
            date: ended.date,
            actor: ended.actor,
            reason: "The channel \(channel) has ended.",
            endedChannel: channel,
        )
        var withdrawn: [ReleaseIdentifier] = []
        for release in try store.releases(of: self.app)
        where release.wasOn(channel) && (release.withdrawal ?? withdrawal) == withdrawal
            && !lasting.contains(where: release.wasOn)
            && (!isThereAgain || release.published <= ended.date)
        {
            let identifier = release.identifier
            guard try !isOffered(identifier) else {
                try restore(identifier, from: withdrawal)
                continue
            }
            guard release.withdrawal == nil else {
                // Another process did the same earlier, or an earlier call was interrupted.
                withdrawn.append(identifier)
                continue
            }
            do {
                _ = try store.changeRelease(identifier, of: self.app) {
                    $0.withdrawal = $0.withdrawal ?? withdrawal
                }
            } catch ReleaseRefusal.unknownRelease {
                continue  // Pruned meanwhile.
            }
            guard try isOffered(identifier) else {
                withdrawn.append(identifier)
                continue
            }
            // The release was published or promoted at this moment.
            try restore(identifier, from: withdrawal)
        }
        try store.changeApp(self.app) { $0.close(channel, ended: ended.date) }
        return withdrawn
    }

    /// Reverses the withdrawal of a release that a channel offers, including one by an interrupted call.
    private func restore(
        _ release: ReleaseIdentifier,
        from withdrawal: Release.Withdrawal,
    ) throws {
        do {
            _ = try store.changeRelease(release, of: app) {
                if $0.withdrawal == withdrawal { $0.withdrawal = nil }
            }
        } catch ReleaseRefusal.unknownRelease {}
    }

    private func isOffered(_ release: ReleaseIdentifier) throws(StoreFailure) -> Bool {
        try store.app(app, isCurrent: true)?.channels.values.contains(release) ?? false
    }
}

extension OTAStore {
    /// Ends every channel whose end date has passed; skips damaged apps.
    ///
    /// - Returns: the channels that ended.
    /// - Throws: ``StoreFailure``.
    package func endDueChannels(at date: Date) throws -> [(app: AppRecord, ending: ChannelEnding)] {
        var ended: [(app: AppRecord, ending: ChannelEnding)] = []
        for app in try apps() {
            let work = ChannelCloser(
                of: app.bundleIdentifier,
                in: self,
                by: ChannelCloser.server,
                at: date,
            )
            for channel in app.endings(at: date) {
                let ending = try unlessDamaged { try work.endIfDue(channel) }
                if let ending { ended.append((app: app, ending: ending)) }
            }
        }
        return ended
    }
}
