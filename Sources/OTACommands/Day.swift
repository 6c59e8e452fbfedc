import Bytes
import Foundation

/// A day or a point in time as typed by a user: `2027-03-14`, or `2027-03-14T12:00:00Z`.
struct Day: TypedValue {
    let date: Date

    init(typed text: String) throws {
        let style = Date.ISO8601FormatStyle(timeZone: .gmt)
        let days = style.year().month().day()
        // Foundation parses 30 February as 2 March.
        guard let day = try? days.parse(String(text.prefix(10))),
            days.format(day) == text.prefix(10)
        else { throw Self.wrong }
        if let moment = try? style.parse(text) {
            date = moment
        } else if text.utf8.count == 10 {
            date = day
        } else {
            throw Self.wrong
        }
    }

    private static let wrong = WrongText(
        wanted: "a day such as 2027-03-14, or a moment: 2027-03-14T12:00:00Z"
    )
}

/// A duration as typed by a user: `30d`, `12h`, `15m`, `2w`.
struct Span: TypedValue, CustomStringConvertible {
    let seconds: TimeInterval
    let text: String

    init(days: Int) {
        seconds = TimeInterval(days) * 86400
        text = "\(days)d"
    }

    init(hours: Int) {
        seconds = TimeInterval(hours) * 3600
        text = "\(hours)h"
    }

    init(minutes: Int) {
        seconds = TimeInterval(minutes) * 60
        text = "\(minutes)m"
    }

    init(typed text: String) throws {
        let units: [Character: TimeInterval] = [
            "s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400,
        ]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int(text.dropLast()),
            (0...10_000).contains(count)
        else {
            throw WrongText(
                wanted: "a number up to 10000 and a unit, s, m, h, d or w: 90s, 12h, 30d"
            )
        }
        seconds = unit * TimeInterval(count)
        self.text = text
    }

    var description: String { text }
}
