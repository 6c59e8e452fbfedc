import Essentials
import Store

/// What has been changed recently: one small object that every server reads again and again, where an
/// unchanged one carries nothing.
struct NewsPage: Codable, Equatable, Sendable {
    /// One announcement of one server.
    struct Entry: Codable, Equatable, Sendable {
        let number: Int
        /// The paths of documents and journals.
        let changed: [String]
        /// Those of them that may appear or disappear, so that lists change.
        let listed: [String]
    }

    var schema = 1
    /// Of all announcements before those that are here.
    var dropped = 0
    /// The latest, in order.
    var entries: [Entry] = []
    /// Tells the page from one that was started again; nil where an earlier version wrote it.
    var id: String?
    /// When a process last said that it may delete blobs, by its own clock; nil for never.
    var collecting: Date?

    /// The number of the latest announcement.
    var last: Int { entries.last?.number ?? dropped }

    /// Names that a page keeps: as many as servers change between two looks, and some more.
    private static let most = 256

    init() {}

    /// - Throws: ``StoreFailure/unreadable(path:offset:reason:)`` for anything but what ``bytes()`` gave.
    init(_ bytes: [UInt8], at path: String) throws(StoreFailure) {
        do {
            self = try JSONDecoder().decode(NewsPage.self, from: Data(bytes))
        } catch {
            throw .unreadable(path: path, offset: nil, reason: "it is not a list of changes")
        }
        var number = dropped
        let isInOrder = entries.allSatisfy { entry in
            defer { number = entry.number }
            return entry.number > number
        }
        guard dropped >= 0, isInOrder, last < Int.max / 2 else {
            throw .unreadable(path: path, offset: nil, reason: "its changes are out of order")
        }
    }

    /// How it is kept.
    func bytes() throws(StoreFailure) -> [UInt8] {
        try KeptJSON.bytes(self, at: "@news", refusal: "it has no JSON form")
    }

    /// Adds an announcement, and drops the oldest ones for it.
    mutating func add(changed: Set<String>, listed: Set<String>) {
        let entry = Entry(number: last + 1, changed: changed.sorted(), listed: listed.sorted())
        entries.append(entry)
        var names = entries.reduce(0) { $0 + $1.changed.count }
        while names > Self.most, entries.count > 1 {
            let oldest = entries.removeFirst()
            dropped = oldest.number
            names -= oldest.changed.count
        }
    }
}

/// How often changes are looked for.
package struct NewsTiming: Sendable {
    /// Between two looks.
    package var interval: Duration
    /// For how long after its announcement a change may still arrive; until then, what it concerns is read from the store.
    package var settling: Duration
    /// For how long a process that does not follow changes, as a command, relies on what it has read or
    /// written: its decisions are conditional writes all the same.
    package var trusting: Duration

    package init(
        interval: Duration = .milliseconds(700),
        settling: Duration = .seconds(3),
        trusting: Duration = .zero,
    ) {
        self.interval = interval
        self.settling = settling
        self.trusting = trusting
    }
}
