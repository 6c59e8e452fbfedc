import Essentials
import Store

/// The recent changes: one small object that every server polls with a conditional GET, so that an
/// unchanged one transfers no body.
struct NewsPage: Codable, Equatable, Sendable {
    /// An announcement by a server.
    struct Entry: Codable, Equatable, Sendable {
        let number: Int
        /// The paths of the changed documents and journals.
        let changed: [String]
        /// Those of them that may be added or removed, which changes lists.
        let listed: [String]
    }

    var schema = 1
    /// The number of the last announcement that was dropped.
    var dropped = 0
    /// The latest announcements, in order.
    var entries: [Entry] = []
    /// Distinguishes the page from one that was created again; nil if an earlier version wrote it.
    var id: String?
    /// When a process last announced that it may delete blobs, by its own clock; nil for never.
    var collecting: Date?

    /// The number of the latest announcement.
    var last: Int { entries.last?.number ?? dropped }

    /// The most paths on a page: more than servers change between two polls.
    private static let most = 256

    init() {}

    /// - Throws: ``StoreFailure/unreadable(path:offset:reason:)`` for anything but the result of
    ///   ``bytes()``.
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

    /// The contents of the object.
    func bytes() throws(StoreFailure) -> [UInt8] {
        try KeptJSON.bytes(self, at: "@news", refusal: "it has no JSON form")
    }

    /// Adds an announcement, and drops the oldest ones to make space.
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

/// The timing of polling for changes.
package struct NewsTiming: Sendable {
    /// The time between two polls.
    package var interval: Duration
    /// How long after its announcement a change may still arrive; until then, the changed documents are
    /// read from the store.
    package var settling: Duration
    /// How long a process that does not follow changes, such as a command, uses what it has read or
    /// written; its writes are conditional anyway.
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
