import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The value of a `Date` field, IMF-fixdate of RFC 9110 5.6.7; formatted once per second.
enum HTTPDate {
    private static let cache = Mutex<(second: Int, text: String)>((0, ""))

    static var now: String {
        let second = time(nil)
        return cache.withLock { cache in
            if cache.second != second { cache = (second, text(secondsSince1970: second)) }
            return cache.text
        }
    }

    static func text(secondsSince1970 seconds: Int) -> String {
        let day = (seconds - seconds.wrapped(86_400)) / 86_400
        let (year, month, dayOfMonth) = civil(day)
        let rest = seconds.wrapped(86_400)
        let time = [rest / 3600, rest / 60 % 60, rest % 60].map(twoDigits).joined(separator: ":")
        let weekday = weekdays[(day + 4).wrapped(7)]
        return "\(weekday), \(twoDigits(dayOfMonth)) \(months[month - 1]) \(year) \(time) GMT"
    }

    /// Converts days since 1970 to a date of the proleptic Gregorian calendar (Hinnant,
    /// `civil_from_days`).
    private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = (shifted - shifted.wrapped(146_097)) / 146_097
        let dayOfEra = shifted.wrapped(146_097)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

extension Int {
    /// Returns the remainder that is never negative.
    fileprivate func wrapped(_ divisor: Int) -> Int {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
