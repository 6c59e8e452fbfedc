/// Sends events to listeners.
package struct EventServices: Sendable {
    let feed: EventFeed
    /// How often the access of a listener is checked.
    let beat: Duration
    /// How often a device that waits is checked again.
    let look: Duration

    /// - Parameters:
    ///   - feed: what happens; it runs as a service of its own.
    ///   - beat: the time between two keep-alive comments in a stream; a stream ends at most this
    ///     long after the right to it ends.
    ///   - look: the time between two looks at how far a device has come: what Apple says of it is in
    ///     no journal.
    package init(feed: EventFeed, beat: Duration, look: Duration) {
        self.feed = feed
        self.beat = beat
        self.look = look
    }
}
