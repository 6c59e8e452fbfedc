import Foundation

/// A moment of UTC in the fields that ASN.1 times are written with.
///
/// The arithmetic is the proleptic Gregorian calendar's, without locale or time zone data.
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

    /// Cuts fractions of a second off; dates outside the years 1 to 9999 become the nearest inside.
    init(_ date: Date) {
        let earliest = CalendarTime(year: 1, month: 1, day: 1, hour: 0, minute: 0, second: 0)
        let latest = CalendarTime(year: 9999, month: 12, day: 31, hour: 23, minute: 59, second: 59)
        let bounded = min(max(date, earliest.date), latest.date)
        let seconds = Int(bounded.timeIntervalSince1970.rounded(.down))
        let days = seconds.flooredQuotient(by: 86_400)
        let rest = seconds - days * 86_400
        let (year, month, day) = Self.civil(fromDays: days)
        self.init(
            year: year,
            month: month,
            day: day,
            hour: rest / 3600,
            minute: rest / 60 % 60,
            second: rest % 60,
        )
    }

    var date: Date {
        let days = Self.days(year: year, month: month, day: day)
        return Date(
            timeIntervalSince1970: Double(days * 86_400 + hour * 3600 + minute * 60 + second)
        )
    }

    /// `YYYYMMDDHHMMSS`.
    var digits: String {
        Self.padded(year, 4)
            + [month, day, hour, minute, second].map { Self.padded($0, 2) }.joined()
    }

    /// Days since 1970-01-01, with years that begin in March so that leap days come last.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year.flooredQuotient(by: 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted.flooredQuotient(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}

extension Int {
    fileprivate func flooredQuotient(by divisor: Int) -> Int {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
