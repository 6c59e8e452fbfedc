import Bytes
import Essentials

/// A moment in UTC, in the fields of an ASN.1 time.
struct CalendarTime: Equatable {
    var year: Int
    var month: Int
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int

    init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// Truncates fractions of a second, and clamps dates to the years 1 to 9999.
    init(_ date: Date) {
        let earliest = CalendarTime(year: 1, month: 1, day: 1, hour: 0, minute: 0, second: 0)
        let latest = CalendarTime(year: 9999, month: 12, day: 31, hour: 23, minute: 59, second: 59)
        let bounded = min(max(date, earliest.date), latest.date)
        let seconds = Int(bounded.timeIntervalSince1970.rounded(.down))
        let (days, rest) = seconds.quotientAndRemainder(flooringBy: 86_400)
        let civil = CivilDay(daysSince1970: days)
        self.init(
            year: civil.year,
            month: civil.month,
            day: civil.day,
            hour: rest / 3600,
            minute: rest / 60 % 60,
            second: rest % 60,
        )
    }

    var date: Date {
        let days = CivilDay(year: year, month: month, day: day).daysSince1970
        return Date(
            timeIntervalSince1970: Double(days * 86_400 + hour * 3600 + minute * 60 + second)
        )
    }

    /// `YYYYMMDDHHMMSS`.
    var digits: String {
        Self.padded(year, 4)
            + [month, day, hour, minute, second].map { Self.padded($0, 2) }.joined()
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}
