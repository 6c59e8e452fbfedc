import Bytes
package import Essentials

/// HTTP dates in the form that servers must send: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section
/// 5.6.7).
package enum WebDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// - Returns: the date; nil for text in any other form.
    package static func date(from text: String) -> Date? {
        guard text.utf8.count == 29 else { return nil }
        let parts = text.split(atByte: " ")
        guard parts.count == 6, parts[5].isBytes(of: "GMT"), let day = Int(parts[1]),
            let month = months.firstIndex(where: { parts[2].isBytes(of: $0) }),
            let year = Int(parts[3])
        else { return nil }
        let clock = parts[4].split(atByte: ":").compactMap { Int($0) }
        guard clock.count == 3, (1...31).contains(day), (0..<24).contains(clock[0]),
            (0..<60).contains(clock[1]), (0..<61).contains(clock[2]), (1583...9999).contains(year)
        else { return nil }
        let civil = CivilDay(year: year, month: month + 1, day: day)
        let days = civil.daysSince1970
        // A day that the month does not have is counted into the next one.
        guard CivilDay(daysSince1970: days) == civil else { return nil }
        let seconds = clock[0] * 3600 + clock[1] * 60 + clock[2]
        return Date(timeIntervalSince1970: TimeInterval(days * 86_400 + seconds))
    }
}
