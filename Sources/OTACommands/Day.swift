import ArgumentParser
import Foundation

/// A day or a moment as people type it: `2027-03-14`, or `2027-03-14T12:00:00Z`.
struct Day: ExpressibleByArgument, Sendable {
    let date: Date

    init?(argument: String) {
        let style = Date.ISO8601FormatStyle(timeZone: .gmt)
        if let moment = try? style.parse(argument) {
            date = moment
        } else if let day = try? style.year().month().day().parse(argument) {
            date = day
        } else {
            return nil
        }
    }
}

/// A span as people type it: `30d`, `12h`, `15m`, `2w`.
struct Span: ExpressibleByArgument, Sendable {
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

    init?(argument: String) {
        let units: [Character: TimeInterval] = [
            "s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400,
        ]
        guard let unit = argument.last.flatMap({ units[$0] }), let count = Int(argument.dropLast()),
            (0...10_000).contains(count)
        else { return nil }
        seconds = unit * TimeInterval(count)
        text = argument
    }

    var defaultValueDescription: String { text }
}
