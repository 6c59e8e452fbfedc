/// Sends events to listeners.
package struct EventServices: Sendable {
    let feed: EventFeed
    /// The interval at which a waiting device's progress is checked.
    let look: Duration

    /// - Parameters:
    ///   - feed: the activity; it runs as a separate service.
    ///   - look: the interval of checks of a device's progress, which Apple can change without an event
    ///     in the journal.
    package init(feed: EventFeed, look: Duration) {
        self.feed = feed
        self.look = look
    }
}
