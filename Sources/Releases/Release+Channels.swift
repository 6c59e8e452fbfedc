package import Identifiers

extension Release {
    /// How many channels are kept in ``otherChannels``.
    package static let otherChannelLimit = 100

    /// Whether the release was ever published on a channel or promoted to it.
    package func wasOn(_ channel: ChannelName) -> Bool {
        self.channel == channel || otherChannels?.contains(channel) == true
    }

    /// Notes that the release was published on a channel or promoted to it.
    ///
    /// Of more than ``otherChannelLimit``, the oldest is forgotten, but never `stable`.
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

    /// Takes over the pin of the release whose place this one takes, and its channels, because they may offer
    /// it still.
    package mutating func inheritChannels(of there: Release) {
        pin = there.pin
        for channel in (there.otherChannels ?? []) + [there.channel] { join(channel) }
    }
}
