import Bytes
package import Foundation
import Releases

/// Dates, sizes and time spans in the language's own formats, as `Wording` formats them in English.
extension Words {
    /// Formats a number with a thousands separator from 10,000, and with a decimal for `tenth`.
    func number(_ value: Int, tenth: Int = 0) -> String {
        let text = value.grouped(by: self.text("number.group"))
        return tenth == 0 ? text : text + self.text("number.decimal") + "\(tenth)"
    }

    /// Formats a size as `12.4 MB`, in decimal units as iOS does.
    package func size(_ bytes: Int) -> String {
        guard bytes >= 1000 else { return text("size.bytes", count: bytes) }
        let units = ["size.kb", "size.mb", "size.gb", "size.tb"]
        var value = Double(bytes) / 1000
        var unit = 0
        // From 999.5 on, the rounded number would need a fourth digit.
        while value >= 999.5, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        let tenths = value >= 100 ? Int(value.rounded()) * 10 : Int((value * 10).rounded())
        let number = number(tenths / 10, tenth: tenths % 10)
        return text(units[unit], ["number": number])
    }

    /// Formats a day as `3 March 2027`, in UTC.
    package func day(_ date: Date) -> String {
        let (year, month, day) = Wording.parts(of: date)
        // The first of a month is an ordinal in some languages.
        let number = day == 1 ? text("date.first") : "\(day)"
        return text(
            "date.day",
            ["day": number, "month": text("date.month.\(month)"), "year": "\(year)"],
        )
    }

    /// Formats a time as `3 March 2027, 14:05 UTC`.
    package func moment(_ date: Date) -> String {
        text("date.moment", ["date": day(date), "time": Wording.time(of: date)])
    }

    /// Formats the distance to a date: `in 12 days`, `tomorrow`, `today`, `3 days ago`.
    package func distance(to date: Date, from now: Date) -> String {
        let days = Wording.days(from: now, to: date)
        return switch days {
        case 0: text("distance.today")
        case 1: text("distance.tomorrow")
        case -1: text("distance.yesterday")
        case 2...: text("distance.future", count: days)
        default: text("distance.past", count: -days)
        }
    }

    /// Formats how long ago a date was: `just now`, `5 minutes ago`.
    package func ago(_ date: Date, at now: Date) -> String {
        let seconds = now.timeIntervalSince(date)
        return switch seconds {
        case ..<60: text("ago.now")
        case ..<3600: text("ago.minutes", count: Int(seconds / 60))
        case ..<86_400: text("ago.hours", count: Int(seconds / 3600))
        default: text("ago.days", count: Int(seconds / 86_400))
        }
    }

    /// The number of days from which a date is clearer than its distance.
    private static let nearDays = 60

    /// Returns until when a build can be installed, as a sentence.
    package func expiry(_ date: Date?, at now: Date) -> String {
        guard let date else { return text("expiry.none") }
        if date <= now { return text("expiry.past", ["date": day(date)]) }
        guard Wording.days(from: now, to: date) < Self.nearDays else {
            return text("expiry.far", ["date": day(date)])
        }
        let distance = distance(to: date, from: now)
        return text("expiry.future", ["date": day(date), "distance": distance])
    }

    /// Formats a list as `iPhone and iPad`.
    func list(_ names: [String]) -> String {
        guard let first = names.first else { return "" }
        return names.dropFirst().reduce(first) {
            text("list.two", ["first": $0, "second": $1])
        }
    }
}
