/// Sends events to listeners.
package struct EventServices: Sendable {
    let feed: EventFeed
    /// The interval at which a listener's access is checked.
    let beat: Duration
    /// The interval at which a waiting device's progress is checked.
    let look: Duration

    /// - Parameters:
    ///   - feed: the activity; it runs as a separate service.
    ///   - beat: the interval of keep-alive comments in a stream; a stream ends at most this long after
    ///     the listener's access ends.
    ///   - look: the interval of checks of a device's progress, which Apple can change without an event
    ///     in the journal.
    package init(feed: EventFeed, beat: Duration, look: Duration) {
        self.feed = feed
        self.beat = beat
        self.look = look
    }
}
