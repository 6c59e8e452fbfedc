/// What a piece of work takes.
struct Cost {
    /// Seconds from its start to its end.
    let wall: Double
    /// Seconds, user and system together, of all its threads.
    let processor: Double
    /// Bytes; the most that one of its programs had.
    let residentPeak: Double

    /// One piece of work after the other.
    static func + (first: Cost, second: Cost) -> Cost {
        Cost(
            wall: first.wall + second.wall,
            processor: first.processor + second.processor,
            residentPeak: max(first.residentPeak, second.residentPeak),
        )
    }
}

extension Comparison {
    /// Two lines: the time that a piece of work took, and below it the processor time, which two
    /// threads do not flatter.
    static func lines(
        _ what: String,
        in unit: Unit,
        ours: Cost,
        peer: (name: String, cost: Cost)? = nil,
        figure: Figure? = nil,
    ) -> [Comparison] {
        [
            Comparison(
                what: what,
                unit: unit,
                ours: ours.wall * unit.inSecond,
                peer: peer.map { ($0.name, $0.cost.wall * unit.inSecond) },
                figure: figure,
            ),
            Comparison(
                what: "  processor time",
                unit: unit,
                ours: ours.processor * unit.inSecond,
                peer: peer.map { ($0.name, $0.cost.processor * unit.inSecond) },
            ),
        ]
    }

    /// The most resident memory of a command, which may have 64 MB.
    static func memory(of cost: Cost) -> Comparison {
        Comparison(
            what: "  most resident memory",
            unit: .megabytes,
            ours: cost.residentPeak / 1e6,
            figure: .most(64),
        )
    }
}
