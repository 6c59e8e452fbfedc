package import Essentials
package import Identifiers

/// A channel that has ended, and whether its releases still have to be withdrawn.
package struct EndedChannel: Codable, Sendable, Equatable {
    package let date: Date
    /// Who ended it: a token's name, the user of the command line, or the server.
    package let actor: String
    /// Set until the releases that only the channel offered are withdrawn.
    package var isOpen: Bool?

    package init(date: Date, actor: String) {
        self.date = date
        self.actor = actor
        isOpen = true
    }
}

extension AppRecord {
    /// The most ended channels that are recorded, so that their pages can say that they ended.
    package static let endedChannelLimit = 500

    /// When a channel ends; nil if it has no end, or does not exist.
    package func end(of channel: ChannelName) -> Date? {
        channels[channel] == nil ? nil : channelEnds?[channel]
    }

    /// When the last of the channels that offer a release ends; nil if one of them has no end, or
    /// none offers it.
    package func end(of release: ReleaseIdentifier) -> Date? {
        let offering = channels.filter { $0.value == release }.keys
        let ends = offering.compactMap { end(of: $0) }
        return ends.count == offering.count ? ends.max() : nil
    }

    /// Whether all channels that offer a release are past their end; false if none offers it.
    package func isOver(_ release: ReleaseIdentifier, at date: Date) -> Bool {
        end(of: release).map { $0 <= date } ?? false
    }

    /// How a channel ended; nil if it has not ended or never existed.
    package func ended(_ channel: ChannelName) -> EndedChannel? {
        channels[channel] == nil ? endedChannels?[channel] : nil
    }

    /// Whether a channel is past its end, although it may not have been ended yet.
    package func isOver(_ channel: ChannelName, at date: Date) -> Bool {
        end(of: channel).map { $0 <= date } ?? false
    }

    /// Whether a channel exists that has no end and never ended.
    package func lasts(_ channel: ChannelName) -> Bool {
        channels[channel] != nil && channelEnds?[channel] == nil
            && endedChannels?[channel] == nil
    }

    /// Whether a channel has ended or is past its end, so that only a new end opens it again.
    package func isClosed(_ channel: ChannelName, at date: Date) -> Bool {
        ended(channel) != nil || isOver(channel, at: date)
    }

    /// Whether a channel may end: not the one that a page without `?channel=` shows.
    package func mayEnd(_ channel: ChannelName) -> Bool {
        channel != .stable && channel != defaultChannel
    }

    /// Makes a channel offer a release, until `end` if given; otherwise the channel's end is unchanged.
    package mutating func offer(
        _ release: ReleaseIdentifier,
        on channel: ChannelName,
        until end: Date? = nil,
    ) {
        // The end of an earlier channel with the same name does not apply to this one.
        if channels[channel] == nil { channelEnds?[channel] = nil }
        channels[channel] = release
        if let end { channelEnds = (channelEnds ?? [:]).merging([channel: end]) { $1 } }
    }

    /// Ends a channel.
    ///
    /// - Returns: whether it existed.
    package mutating func end(_ channel: ChannelName, as ending: EndedChannel) -> Bool {
        guard channels.removeValue(forKey: channel) != nil else { return false }
        channelEnds?[channel] = nil
        if channelEnds?.isEmpty == true { channelEnds = nil }
        var ended = endedChannels ?? [:]
        ended[channel] = ending
        let surplus = ended.count - Self.endedChannelLimit
        if surplus > 0 {
            // Channels whose releases are still to be withdrawn are never removed.
            let oldest = ended.filter { $0.value.isOpen == nil }.sorted {
                $0.value.date < $1.value.date
            }
            for (name, _) in oldest.prefix(surplus) { ended[name] = nil }
        }
        endedChannels = ended
        return true
    }

    /// Records that the releases of an ended channel have been withdrawn.
    package mutating func close(_ channel: ChannelName, ended date: Date) {
        guard endedChannels?[channel]?.date == date else { return }
        endedChannels?[channel]?.isOpen = nil
    }

    /// Seconds after which another process takes over the withdrawal of an ended channel's releases.
    package static let timeToEnd: TimeInterval = 60

    /// The channels past their end, and ended ones whose releases were not withdrawn because of an
    /// interruption; by name.
    package func endings(at date: Date) -> [ChannelName] {
        let due = channels.keys.filter { isOver($0, at: date) }
        let cutShort = (endedChannels ?? [:]).filter { _, ended in
            let passed = date.timeIntervalSince(ended.date)
            return ended.isOpen == true && !(0..<Self.timeToEnd).contains(passed)
        }
        return Set(due).union(cutShort.keys).sorted()
    }

    /// The channels by name, without those past their end.
    package func offers(at date: Date) -> [(channel: ChannelName, release: ReleaseIdentifier)] {
        channels.filter { !isOver($0.key, at: date) }.sorted { $0.key < $1.key }
            .map { (channel: $0.key, release: $0.value) }
    }
}
