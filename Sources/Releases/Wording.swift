import Bytes
package import Essentials

/// Formats dates, sizes and durations in English, identically on all machines.
package enum Wording {
    /// The day in UTC: `3 March 2027`.
    package static func day(_ date: Date) -> String {
        let (year, month, day) = parts(of: date)
        return "\(day) \(months[(month - 1) % 12]) \(year)"
    }

    /// The year, month and day in UTC, month and day from 1.
    package static func parts(of date: Date) -> (year: Int, month: Int, day: Int) {
        let day = civilDay(of: date)
        return (day.year, day.month, day.day)
    }

    /// A size in decimal units as in iOS: `12.4 MB`.
    package static func size(_ bytes: Int) -> String {
        let units = ["bytes", "KB", "MB", "GB", "TB"]
        var value = Double(bytes)
        var unit = 0
        // From 999.5 the rounded number would have four digits.
        while value >= (unit == 0 ? 1000 : 999.5), unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        guard unit > 0 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        let rounded = value >= 100 ? value.rounded() : (value * 10).rounded() / 10
        let text = rounded == rounded.rounded() ? Int(rounded).grouped : "\(rounded)"
        return "\(text) \(units[unit])"
    }

    /// The distance to a date in days: `in 12 days`, `tomorrow`, `today`, `3 days ago`.
    package static func distance(to date: Date, from now: Date) -> String {
        let days = Self.days(from: now, to: date)
        return switch days {
        case 0: "today"
        case 1: "tomorrow"
        case -1: "yesterday"
        case 2...: "in \(days.grouped) days"
        default: "\((-days).grouped) days ago"
        }
    }

    /// The time since a date: `just now`, `5 minutes ago`.
    package static func ago(_ date: Date, at now: Date) -> String {
        let seconds = now.timeIntervalSince(date)
        return switch seconds {
        case ..<60: "just now"
        case ..<3600: "\(count(Int(seconds / 60), "minute")) ago"
        case ..<86_400: "\(count(Int(seconds / 3600), "hour")) ago"
        default: "\(count(Int(seconds / 86_400), "day")) ago"
        }
    }

    /// The number of calendar days in UTC from one date to another; negative for the past.
    package static func days(from start: Date, to end: Date) -> Int {
        dayNumber(of: end) - dayNumber(of: start)
    }

    /// A sentence that says until when a build can be installed.
    package static func expiry(_ date: Date?, at now: Date) -> String {
        guard let date else { return "Nothing in this build expires." }
        if date <= now { return "This build expired on \(day(date)) and no longer installs." }
        return "Installs until \(day(date)) (\(distance(to: date, from: now)))."
    }

    /// A number with its noun: `1 device`, `12 devices`, `10,000 devices`.
    package static func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String
    {
        number == 1 ? "1 \(singular)" : "\(number.grouped) \(plural ?? singular + "s")"
    }

    /// The day in UTC: `3 Mar`.
    package static func shortDay(_ date: Date) -> String {
        "\(civilDay(of: date).day) \(monthName(date))"
    }

    /// The month in UTC: `Mar`.
    package static func monthName(_ date: Date) -> String {
        String(months[civilDay(of: date).month - 1].prefix(3))
    }

    /// The starts of the months between two dates, in UTC.
    package static func months(from start: Date, to end: Date) -> [Date] {
        var found: [Date] = []
        var month = monthBehind(start)
        while month < end, found.count < 240 {
            found.append(month)
            month = monthBehind(month)
        }
        return found
    }

    private static func monthBehind(_ date: Date) -> Date {
        let day = civilDay(of: date)
        let next =
            day.month == 12
            ? CivilDay(year: day.year + 1, month: 1, day: 1)
            : CivilDay(year: day.year, month: day.month + 1, day: 1)
        return Date(timeIntervalSince1970: Double(next.daysSince1970) * 86_400)
    }

    private static func civilDay(of date: Date) -> CivilDay {
        CivilDay(daysSince1970: dayNumber(of: date))
    }

    /// The number of days from 1970 to a date, in UTC, limited to ±``farthest``.
    private static func dayNumber(of date: Date) -> Int {
        let days = (date.timeIntervalSince1970 / 86_400).rounded(.down)
        return Int(min(max(days, -farthest), farthest))
    }

    /// In days: about 27 million years.
    private static let farthest = 1e10

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]
}
