/// One line of the table: what it costs us, what it costs a peer, and what we set out to reach.
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

        /// How many of a unit of time are a second; 1 for what is no time.
        var inSecond: Double {
            switch self {
            case .milliseconds: 1e3
            case .microseconds: 1e6
            default: 1
            }
        }
    }

    /// The most that ours may be: so many times the peer's, or so many units.
    enum Figure {
        case ratio(Double)
        case most(Double)
    }

    /// Begins with two spaces when it belongs to the last line above it that does not.
    let what: String
    let unit: Unit
    let ours: Double
    var peer: (name: String, value: Double)?
    var figure: Figure?

    var ratio: Double? { peer.map { ours / $0.value } }

    /// Nil when the line only informs.
    var isReached: Bool? {
        switch figure {
        case nil: nil
        case .most(let most): ours <= most
        case .ratio(let most): ratio.map { $0 <= most }
        }
    }
}
