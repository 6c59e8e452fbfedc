/// Sends events to listeners.
package struct EventServices: Sendable {
    let feed: EventFeed
    /// How often the access of a listener is checked.
    let beat: Duration

    /// - Parameters:
    ///   - feed: what happens; it runs as a service of its own.
    ///   - beat: the time between two keep-alive comments in a stream; a stream ends at most this
    ///     long after the right to it ends.
    package init(feed: EventFeed, beat: Duration) {
        self.feed = feed
        self.beat = beat
    }
}
