package import Essentials

/// Dates, sizes and spans as people say them; English, the same on every machine.
package enum Wording {
    /// `3 March 2027`, in UTC.
    package static func day(_ date: Date) -> String {
        let (year, month, day) = parts(of: date)
        return "\(day) \(months[(month - 1) % 12]) \(year)"
    }

    /// Year, month from 1 and day from 1, in UTC.
    package static func parts(of date: Date) -> (year: Int, month: Int, day: Int) {
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        return (parts.year ?? 0, parts.month ?? 1, parts.day ?? 1)
    }

    /// `12.4 MB`, in decimal units as iOS shows them.
    package static func size(_ bytes: Int) -> String {
        let units = ["bytes", "KB", "MB", "GB", "TB"]
        var value = Double(bytes)
        var unit = 0
        // From 999.5 on, the rounded number would need a fourth digit.
        while value >= (unit == 0 ? 1000 : 999.5), unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        guard unit > 0 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        let rounded = value >= 100 ? value.rounded() : (value * 10).rounded() / 10
        let text = rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
        return "\(text) \(units[unit])"
    }

    /// How long until a date, or since it: `in 12 days`, `tomorrow`, `today`, `3 days ago`.
    package static func distance(to date: Date, from now: Date) -> String {
        let days = Self.days(from: now, to: date)
        return switch days {
        case 0: "today"
        case 1: "tomorrow"
        case -1: "yesterday"
        case 2...: "in \(days) days"
        default: "\(-days) days ago"
        }
    }

    /// How long ago a date was, in words: `just now`, `5 minutes ago`.
    package static func ago(_ date: Date, at now: Date) -> String {
        let seconds = now.timeIntervalSince(date)
        return switch seconds {
        case ..<60: "just now"
        case ..<3600: "\(count(Int(seconds / 60), "minute")) ago"
        case ..<86_400: "\(count(Int(seconds / 3600), "hour")) ago"
        default: "\(count(Int(seconds / 86_400), "day")) ago"
        }
    }

    /// Whole calendar days in UTC from one date to another; negative for the past.
    package static func days(from start: Date, to end: Date) -> Int {
        let from = calendar.startOfDay(for: start)
        let to = calendar.startOfDay(for: end)
        return calendar.dateComponents([.day], from: from, to: to).day ?? 0
    }

    /// Until when a build installs, as a whole sentence.
    package static func expiry(_ date: Date?, at now: Date) -> String {
        guard let date else { return "Nothing in this build expires." }
        if date <= now { return "This build expired on \(day(date)) and no longer installs." }
        return "Installs until \(day(date)) (\(distance(to: date, from: now)))."
    }

    /// `1 device`, `12 devices`.
    package static func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String
    {
        number == 1 ? "1 \(singular)" : "\(number) \(plural ?? singular + "s")"
    }

    /// `3 Mar`, in UTC.
    package static func shortDay(_ date: Date) -> String {
        let parts = calendar.dateComponents([.month, .day], from: date)
        return "\(parts.day ?? 1) \(monthName(date))"
    }

    /// `Mar`, in UTC.
    package static func monthName(_ date: Date) -> String {
        let month = calendar.component(.month, from: date)
        return String(months[(month - 1) % 12].prefix(3))
    }

    /// The beginnings of the months between two dates, in UTC.
    package static func months(from start: Date, to end: Date) -> [Date] {
        var found: [Date] = []
        var month = calendar.dateInterval(of: .month, for: start)?.end ?? end
        while month < end, found.count < 240 {
            found.append(month)
            month = calendar.dateInterval(of: .month, for: month)?.end ?? end
        }
        return found
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]

    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
}
