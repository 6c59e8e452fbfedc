import Bytes

import Essentials

/// Dates in the XML form, `2026-03-01T09:41:00Z`, in the proleptic Gregorian calendar.
enum CivilTime {
    /// From the first second of the year 0 to the last one of 9999, in seconds since 1970.
    private static let range = -62_167_219_200...253_402_300_799
    private static let reference = 978_307_200

    /// The date for a number in a binary property list; nil outside the years 0 to 9999.
    static func date(secondsSince2001 seconds: Double) -> Date? {
        let first = Double(range.lowerBound - reference)
        let end = Double(range.upperBound + 1 - reference)
        guard seconds >= first, seconds < end else { return nil }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    /// The date as a number, clamped to the years 0 to 9999; NaN becomes 2001-01-01.
    static func secondsSince2001(_ date: Date) -> Double {
        let seconds = date.timeIntervalSinceReferenceDate
        guard !seconds.isNaN else { return 0 }
        return min(
            max(seconds, Double(range.lowerBound - reference)),
            Double(range.upperBound - reference),
        )
    }

    /// Parses exactly `YYYY-MM-DDThh:mm:ssZ`; nil for anything else, and for a day or time that does not
    /// exist.
    static func date(spelled text: some Collection<UInt8>) -> Date? {
        let text = Array(text)
        guard text.count == pattern.count else { return nil }
        var numbers: [Int] = [0]
        for (byte, expected) in zip(text, pattern) {
            if expected == UInt8(ascii: "0") {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                numbers[numbers.count - 1] *= 10
                numbers[numbers.count - 1] += Int(byte - UInt8(ascii: "0"))
            } else {
                guard byte == expected else { return nil }
                numbers.append(0)
            }
        }
        let (year, month, day) = (numbers[0], numbers[1], numbers[2])
        guard (1...12).contains(month), day >= 1, day <= length(ofMonth: month, in: year),
            numbers[3] < 24, numbers[4] < 60, numbers[5] < 60
        else { return nil }
        let clock = (numbers[3] * 60 + numbers[4]) * 60 + numbers[5]
        let days = CivilDay(year: year, month: month, day: day).daysSince1970
        let seconds = days * 86_400 + clock
        return Date(timeIntervalSinceReferenceDate: Double(seconds - reference))
    }

    /// Formats a date in whole seconds.
    static func spelling(of date: Date) -> String {
        let seconds = Int(secondsSince2001(date).rounded(.down)) + reference
        let clock = seconds.quotientAndRemainder(flooringBy: 86_400)
        let day = CivilDay(daysSince1970: clock.quotient)
        let (hour, minute, second) =
            (clock.remainder / 3600, clock.remainder / 60 % 60, clock.remainder % 60)
        let date = "\(padded(day.year, 4))-\(padded(day.month, 2))-\(padded(day.day, 2))"
        return "\(date)T\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))Z"
    }

    private static let pattern = Array("0000-00-00T00:00:00Z".utf8)

    private static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
