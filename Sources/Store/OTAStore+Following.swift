package import Foundation
package import Releases

/// A place in the journals of what happened: everything before it is known.
///
/// Written as `2026-11:4096`; a client may send any text for one, so none is trusted.
package struct ActivityCursor: Hashable, Sendable, CustomStringConvertible {
    let month: String
    let offset: Int

    init(month: String, offset: Int) {
        self.month = month
        self.offset = offset
    }

    /// - Returns: nil for what is not written as a cursor is.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 7, parts[1].utf8.count <= 12,
            let offset = Int(parts[1]), offset >= 0,
            parts[0].utf8.enumerated().allSatisfy({ index, byte in
                index == 4
                    ? byte == UInt8(ascii: "-")
                    : (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            })
        else { return nil }
        self.init(month: String(parts[0]), offset: offset)
    }

    package var description: String { "\(month):\(offset)" }

    /// Whether whoever knows everything up to `other` knows what ends here.
    package func isNotAfter(_ other: ActivityCursor) -> Bool {
        (month, offset) <= (other.month, other.offset)
    }
}

extension OTAStore {
    /// The place behind what has happened so far.
    package func activityEnd(at date: Date) throws(StoreFailure) -> ActivityCursor {
        let month = try backend.names(in: .activities).filter { $0.hasSuffix(".jsonl") }.last
            .map { String($0.dropLast(".jsonl".count)) }
        guard let month else {
            return ActivityCursor(month: String(date.formatted(.iso8601).prefix(7)), offset: 0)
        }
        return ActivityCursor(
            month: month,
            offset: try backend.end(of: DocumentName("activity", month + ".jsonl")),
        )
    }

    /// What happened behind a place, oldest first, at most `count`, each with the place behind it.
    package func activity(
        after cursor: ActivityCursor,
        count: Int,
    ) throws(StoreFailure) -> [(activity: Activity, cursor: ActivityCursor)] {
        var found: [(activity: Activity, cursor: ActivityCursor)] = []
        for name in try backend.names(in: .activities) where name.hasSuffix(".jsonl") {
            let month = String(name.dropLast(".jsonl".count))
            guard month >= cursor.month, found.count < count else { continue }
            let journal = try DocumentName.activities.appending(name)
            let lines = try backend.lines(
                of: journal,
                from: month == cursor.month ? cursor.offset : 0,
                count: count - found.count,
            )
            for line in lines {
                let place = ActivityCursor(month: month, offset: line.end)
                let path = "\(journal) before byte \(line.end)"
                let value = try DocumentCoding.value(Activity.self, from: line.bytes, path: path)
                found.append((value, place))
            }
        }
        return found
    }
}
