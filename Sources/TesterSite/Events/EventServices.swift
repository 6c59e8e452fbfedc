/// Sends events to listeners.
package struct EventServices: Sendable {
    let feed: EventFeed
    /// How often the access of a listener is checked.
    let beat: Duration

    /// - Parameters:
    ///   - feed: what happens; it runs as a service of its own.
    ///   - beat: between two signs of life of a stream, and the longest that one goes on behind the
    ///     end of the right to it.
    package init(feed: EventFeed, beat: Duration) {
        self.feed = feed
        self.beat = beat
    }
}
