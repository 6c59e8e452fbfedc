import Bytes
import Essentials

/// Decodes dates in documents: `2026-11-21T09:30:00Z`.
///
/// Foundation's parser takes ten times as long, and a register has two dates per device.
enum StoredDate {
    @Sendable static func decode(from decoder: any Decoder) throws -> Date {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        if let date = date(from: text) { return date }
        // Dates written by hand may have fractions or an offset.
        do {
            return try Date(text, strategy: .iso8601)
        } catch {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "not an ISO 8601 date",
            )
        }
    }

    /// Nil for any other form, and for years that Foundation formats in the Julian calendar.
    static func date(from text: String) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count == 20, bytes[4] == dash, bytes[7] == dash, bytes[10] == UInt8(ascii: "T"),
            bytes[13] == colon, bytes[16] == colon, bytes[19] == UInt8(ascii: "Z"),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
            let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]),
            let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            year >= firstWholeGregorianYear, (1...12).contains(month), (1...31).contains(day),
            hour < 24, minute < 60, second < 60
        else { return nil }
        let civil = CivilDay(year: year, month: month, day: day)
        guard CivilDay(daysSince1970: civil.daysSince1970) == civil else { return nil }
        let seconds = civil.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second
        return Date(timeIntervalSince1970: TimeInterval(seconds))
    }

    private static let firstWholeGregorianYear = 1583
    private static let dash = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }
}
