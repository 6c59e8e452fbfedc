/// A line of the table: the cost of `ota`, the cost of a peer, and the goal.
///
/// Less is better in every line.
struct Comparison {
    enum Unit: String, Codable {
        case seconds, milliseconds, microseconds, megabytes, kilobytes
        case secondsPerGigabyte, millisecondsPerSecond

        var symbol: String {
            switch self {
            case .seconds: "s"
            case .milliseconds: "ms"
            case .microseconds: "µs"
            case .megabytes: "MB"
            case .kilobytes: "KB"
            case .secondsPerGigabyte: "s/GB"
            case .millisecondsPerSecond: "ms/s"
            }
        }

        /// How many of these units are a second; 1 for units that are not time.
        var inSecond: Double {
            switch self {
            case .milliseconds: 1e3
            case .microseconds: 1e6
            default: 1
            }
        }
    }

    /// The goal for `ota`: at most this multiple of the peer's value, or this many units.
    enum Figure {
        case ratio(Double)
        case most(Double)
    }

    /// Begins with two spaces if it belongs to the last line above it that does not.
    let what: String
    let unit: Unit
    let ours: Double
    var peer: (name: String, value: Double)?
    var figure: Figure?

    var ratio: Double? { peer.map { ours / $0.value } }

    /// Nil if the line has no goal.
    var isReached: Bool? {
        switch figure {
        case nil: nil
        case .most(let most): ours <= most
        case .ratio(let most): ratio.map { $0 <= most }
        }
    }
}
