package import Identifiers

extension Release {
    /// The most channels that are kept in ``otherChannels``.
    package static let otherChannelLimit = 100

    /// Whether the release was ever published on a channel or promoted to it.
    package func wasOn(_ channel: ChannelName) -> Bool {
        self.channel == channel || otherChannels?.contains(channel) == true
    }

    /// Records that the release was published on a channel or promoted to it.
    ///
    /// If there are more than ``otherChannelLimit``, the oldest is removed, but never `stable`.
    package mutating func join(_ channel: ChannelName) {
        guard !wasOn(channel) else { return }
        var others = otherChannels ?? []
        others.append(channel)
        if others.count > Self.otherChannelLimit,
            let oldest = others.firstIndex(where: { $0 != .stable })
        {
            others.remove(at: oldest)
        }
        otherChannels = others
    }

    /// Takes over the pin of the release that it replaces, and its channels, because they may still offer
    /// it.
    package mutating func inheritChannels(of there: Release) {
        pin = there.pin
        for channel in (there.otherChannels ?? []) + [there.channel] { join(channel) }
    }
}
