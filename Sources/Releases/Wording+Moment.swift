package import Essentials

extension Wording {
    /// The date and time in UTC: `3 March 2027, 14:05 UTC`.
    package static func moment(_ date: Date) -> String { "\(day(date)), \(time(of: date)) UTC" }

    /// The time in UTC: `14:05`.
    package static func time(of date: Date) -> String {
        let minutes = Int((date.timeIntervalSince1970 / 60).rounded(.down)) % 1440
        let minute = minutes < 0 ? minutes + 1440 : minutes
        let digits = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(digits(minute / 60)):\(digits(minute % 60))"
    }

    /// A sentence that says when a channel ends.
    package static func end(of channel: String, on date: Date) -> String {
        "The channel \(channel) ends on \(moment(date))."
    }

    /// The time until a date: `now`, `in 6 minutes`, `in 2 hours`.
    package static func soon(_ date: Date, at now: Date) -> String {
        let seconds = date.timeIntervalSince(now)
        return switch seconds {
        case ..<5: "now"
        case ..<60: "in \(count(Int(seconds), "second"))"
        case ..<3600: "in \(count(Int((seconds / 60).rounded()), "minute"))"
        case ..<86_400: "in \(count(Int((seconds / 3600).rounded()), "hour"))"
        default: "in \(count(Int((seconds / 86_400).rounded()), "day"))"
        }
    }
}
