import Bytes
import Essentials

/// What is left of the requests that Apple takes of one team in an hour, as its header says:
/// `X-Rate-Limit: user-hour-lim:3500;user-hour-rem:499;`.
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

    /// Seconds that should be between two requests: none while much is left, and from the last fifth on
    /// as many as make the hour last.
    var interval: TimeInterval {
        remaining * 5 > limit ? 0 : 3600 / TimeInterval(max(limit, 1))
    }
}
