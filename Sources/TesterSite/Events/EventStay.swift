/// A listener's place in the feed, and what else lasts as long as its stream; it ends with the response, even if
/// that is never sent.
final class EventStay: Sendable {
    let progress: ProgressTimer
    private let number: Int
    private let feed: EventFeed
    private let endInstalls: (@Sendable () -> Void)?

    /// - Parameters:
    ///   - number: the listener's number in the feed.
    ///   - feed: the feed.
    ///   - progress: checks the progress of the listener's device.
    ///   - endInstalls: stops news of the listener's own installs; nil if there are none.
    init(
        of number: Int,
        in feed: EventFeed,
        progress: ProgressTimer,
        endInstalls: (@Sendable () -> Void)?,
    ) {
        self.number = number
        self.feed = feed
        self.progress = progress
        self.endInstalls = endInstalls
    }

    deinit { end() }

    /// Gives the place back; once is enough.
    func end() {
        feed.leave(number)
        endInstalls?()
        progress.stop()
    }
}
