import Bytes
import Essentials

/// Parses dates in Apple's form: `2026-11-23T17:24:59.000+00:00`, also with `Z`, `+0000` or no fraction.
enum AppleDate {
    /// - Returns: nil for anything else.
    static func date(from text: String) -> Date? {
        var rest = Array(text.utf8)[...]
        guard let year = number(4, &rest), skip("-", &rest), let month = number(2, &rest),
            skip("-", &rest), let day = number(2, &rest), skip("T", &rest),
            let hour = number(2, &rest), skip(":", &rest), let minute = number(2, &rest),
            skip(":", &rest), let second = number(2, &rest),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
        else { return nil }
        if skip(".", &rest) { rest = rest.drop(while: isDigit) }
        guard let offset = offset(&rest), rest.isEmpty else { return nil }
        let days = CivilDay(year: year, month: month, day: day).daysSince1970
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
        return Date(timeIntervalSince1970: TimeInterval(seconds))
    }

    /// The offset from UTC in seconds, positive to the east.
    private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int? {
        if skip("Z", &rest) { return 0 }
        let isEast = skip("+", &rest)
        guard isEast || skip("-", &rest), let hours = number(2, &rest) else { return nil }
        _ = skip(":", &rest)
        guard let minutes = number(2, &rest) else { return nil }
        return (isEast ? 1 : -1) * (hours * 3600 + minutes * 60)
    }

    private static func number(_ digits: Int, _ rest: inout ArraySlice<UInt8>) -> Int? {
        let found = rest.prefix(digits)
        guard found.count == digits, found.allSatisfy(isDigit) else { return nil }
        rest = rest.dropFirst(digits)
        return found.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private static func skip(_ mark: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == UInt8(ascii: mark) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
