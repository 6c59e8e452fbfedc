import Bytes
package import Essentials

/// How long a channel lasts after a publish on it, such as `14d`: hours, days or weeks, from one hour to
/// 365 days.
package struct ChannelLife: TextCoded, Sendable, Hashable {
    package let seconds: TimeInterval
    package let description: String

    package static let kindOfText =
        "a number and h, d or w, from 1h to 365d, such as 12h, 14d or 2w"

    private static let bounds = 3600...(365 * 86_400)

    package init?(_ text: String) {
        guard (2...5).contains(text.utf8.count), let unit = text.utf8.last,
            let length = Self.units[unit],
            text.utf8.dropLast().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            ),
            let count = Int(text.dropLast()), Self.bounds.contains(count * length)
        else { return nil }
        seconds = TimeInterval(count * length)
        description = text
    }

    /// When a channel ends if a build is published on it at `date`.
    package func end(from date: Date) -> Date { date.addingTimeInterval(seconds) }

    /// The seconds of each unit.
    private static let units: [UInt8: Int] = [
        UInt8(ascii: "h"): 3600, UInt8(ascii: "d"): 86_400, UInt8(ascii: "w"): 7 * 86_400,
    ]
}
