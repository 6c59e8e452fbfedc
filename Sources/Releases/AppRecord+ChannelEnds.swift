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
    /// How many ended channels are recorded, so that their pages can say that they ended.
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

    /// Whether the time of every channel that offers a release is up; false if none offers it.
    package func isOver(_ release: ReleaseIdentifier, at date: Date) -> Bool {
        end(of: release).map { $0 <= date } ?? false
    }

    /// How a channel ended; nil if it has not ended, or never existed.
    package func ended(_ channel: ChannelName) -> EndedChannel? {
        channels[channel] == nil ? endedChannels?[channel] : nil
    }

    /// Whether the time of a channel is up, although it may not have been ended yet.
    package func isOver(_ channel: ChannelName, at date: Date) -> Bool {
        end(of: channel).map { $0 <= date } ?? false
    }

    /// Whether a channel exists that has no end and has never ended.
    package func lasts(_ channel: ChannelName) -> Bool {
        channels[channel] != nil && channelEnds?[channel] == nil
            && endedChannels?[channel] == nil
    }

    /// Whether a channel has ended, or its time is up, so that only a new end opens it again.
    package func isClosed(_ channel: ChannelName, at date: Date) -> Bool {
        ended(channel) != nil || isOver(channel, at: date)
    }

    /// Whether a channel may end: not the one that a page without `?channel=` shows.
    package func mayEnd(_ channel: ChannelName) -> Bool {
        channel != .stable && channel != defaultChannel
    }

    /// Lets a channel offer a release, until `end` if there is one; without it, the channel keeps
    /// the end that it has.
    package mutating func offer(
        _ release: ReleaseIdentifier,
        on channel: ChannelName,
        until end: Date? = nil,
    ) {
        // An earlier channel of the same name has nothing to do with this one.
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
            // Those whose releases are still to be withdrawn are never forgotten.
            let oldest = ended.filter { $0.value.isOpen == nil }.sorted {
                $0.value.date < $1.value.date
            }
            for (name, _) in oldest.prefix(surplus) { ended[name] = nil }
        }
        endedChannels = ended
        return true
    }

    /// Notes that the releases of an ended channel are withdrawn.
    package mutating func close(_ channel: ChannelName, ended date: Date) {
        guard endedChannels?[channel]?.date == date else { return }
        endedChannels?[channel]?.isOpen = nil
    }

    /// Seconds that the process which ends a channel has for its releases, before another one takes over.
    package static let timeToEnd: TimeInterval = 60

    /// The channels whose time is up, and those of an end that was cut short; by name.
    package func endings(at date: Date) -> [ChannelName] {
        let due = channels.keys.filter { isOver($0, at: date) }
        let cutShort = (endedChannels ?? [:]).filter { _, ended in
            let passed = date.timeIntervalSince(ended.date)
            return ended.isOpen == true && !(0..<Self.timeToEnd).contains(passed)
        }
        return Set(due).union(cutShort.keys).sorted()
    }

    /// Channels in the order of their names, without those whose time is up.
    package func offers(at date: Date) -> [(channel: ChannelName, release: ReleaseIdentifier)] {
        channels.filter { !isOver($0.key, at: date) }.sorted { $0.key < $1.key }
            .map { (channel: $0.key, release: $0.value) }
    }
}
