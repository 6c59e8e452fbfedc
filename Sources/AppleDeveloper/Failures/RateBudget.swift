import Bytes
import Essentials

/// The team's remaining requests in an hour, from Apple's header: `X-Rate-Limit:
/// user-hour-lim:3500;user-hour-rem:499;`.
struct RateBudget: Equatable {
    let limit: Int
    let remaining: Int

    /// - Returns: nil for a header without both numbers.
    init?(header: String) {
        var numbers: [String: Int] = [:]
        for field in header.split(atByte: ";").prefix(8) {
            let parts = field.split(atByte: ":").map { $0.trimmingWhitespace() }
            guard parts.count == 2, let number = Int(parts[1]), number >= 0 else { continue }
            numbers[parts[0].lowercased()] = number
        }
        guard let limit = numbers["user-hour-lim"], limit > 0,
            let remaining = numbers["user-hour-rem"]
        else { return nil }
        self.limit = limit
        self.remaining = remaining
    }

    /// The interval between two requests in seconds: 0 while more than a fifth of the limit remains, then
    /// the hour divided by the limit.
    var interval: TimeInterval {
        remaining * 5 > limit ? 0 : 3600 / TimeInterval(max(limit, 1))
    }
}
