/// One line of the table: what it costs us, what it costs a peer, and what we set out to reach.
struct Comparison: Encodable {
    enum Unit: String, Encodable {
        case seconds, milliseconds, microseconds, megabytes, kilobytes
        case secondsPerGigabyte

        var symbol: String {
            switch self {
            case .seconds: "s"
            case .milliseconds: "ms"
            case .microseconds: "µs"
            case .megabytes: "MB"
            case .kilobytes: "KB"
            case .secondsPerGigabyte: "s/GB"
            }
        }
    }

    /// The most that ours may be: so many times the peer's, or so many units.
    enum Figure {
        case ratio(Double)
        case most(Double)
    }

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

    /// The most resident memory of several rounds, in bytes, of which a command may have 64 MB.
    static func mostMemory(_ peaks: [Double]) -> Comparison {
        Comparison(
            what: "  most resident memory",
            unit: .megabytes,
            ours: peaks.max().map { $0 / 1e6 } ?? .nan,
            figure: .most(64),
        )
    }

    private enum Keys: String, CodingKey {
        case what, unit, ours, peer, peerValue, ratio, mostRatio, most, reached
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(what, forKey: .what)
        try container.encode(unit, forKey: .unit)
        try container.encode(ours, forKey: .ours)
        try container.encodeIfPresent(peer?.name, forKey: .peer)
        try container.encodeIfPresent(peer?.value, forKey: .peerValue)
        try container.encodeIfPresent(ratio, forKey: .ratio)
        if case .ratio(let most) = figure { try container.encode(most, forKey: .mostRatio) }
        if case .most(let most) = figure { try container.encode(most, forKey: .most) }
        try container.encodeIfPresent(isReached, forKey: .reached)
    }
}
