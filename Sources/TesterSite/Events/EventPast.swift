import Foundation
import Releases
import Store

/// What a listener has missed since the position that its page names; read where waiting for the disk is
/// allowed.
struct EventPast: Sendable {
    /// A part of what was missed.
    struct Piece: Sendable {
        /// What is sent; empty for nothing.
        let text: String
        /// The position up to which the listener then knows everything.
        let end: ActivityCursor
    }

    /// Lines of the journal that are read at once.
    private static let pieceLines = 200
    /// Lines that are read for a tester's page that reconnects, and how many seconds old they may be; a page
    /// that was away for longer receives one event that something has changed.
    private static let mostMissed = 400
    private static let longestAway: TimeInterval = 86_400

    private let store: OTAStore
    private let audience: any EventAudience
    private let now: Date

    init(of store: OTAStore, for audience: any EventAudience, at now: Date) {
        self.store = store
        self.audience = audience
        self.now = now
    }

    /// The first piece: for a tester, whether anything has changed; for an admin, the first events.
    ///
    /// - Parameters:
    ///   - place: the position that the page names; nil for none, and nothing is missed then.
    ///   - end: the current end of the journal.
    /// - Returns: the piece; nil if nothing was missed.
    /// - Throws: `StoreFailure`.
    func first(behind place: ActivityCursor?, before end: ActivityCursor) throws -> Piece? {
        guard let place else { return nil }
        if audience.hearsAll { return try piece(behind: place) }
        guard let hasNews = try hasNews(behind: place) else { return nil }
        return Piece(text: hasNews ? "id: \(end)\nevent: changed\ndata: {}\n\n" : "", end: end)
    }

    /// The next events behind a position.
    ///
    /// - Returns: the piece; nil if there are none.
    /// - Throws: `StoreFailure`.
    func piece(behind place: ActivityCursor) throws -> Piece? {
        let past = try store.follow(from: place, count: Self.pieceLines)
        guard past.count > 0 else { return nil }
        let texts = try past.found.compactMap { line in
            try audience.text(of: EventFeed.Event(line), isMissed: true)
        }
        return Piece(text: texts.joined(), end: past.end)
    }

    /// Whether a tester's page has missed anything that it may know; nil if nothing has happened at all.
    ///
    /// The work is bounded, whatever position the page names.
    private func hasNews(behind place: ActivityCursor) throws -> Bool? {
        var count = 0
        var end = place
        while true {
            let past = try store.follow(from: end, count: Self.pieceLines)
            guard past.count > 0 else { return count > 0 ? false : nil }
            count += past.count
            for line in past.found {
                if now.timeIntervalSince(line.activity.date) > Self.longestAway { return true }
                let text = try audience.text(of: EventFeed.Event(line), isMissed: true)
                if text != nil { return true }
            }
            if count >= Self.mostMissed { return true }
            end = past.end
        }
    }
}
