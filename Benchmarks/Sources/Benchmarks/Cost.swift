/// The resources that some work took.
struct Cost {
    /// Elapsed time in seconds.
    let wall: Double
    /// CPU time of all threads in seconds, user and system together.
    let processor: Double
    /// The maximum resident set size of any of its programs, in bytes.
    let residentPeak: Double

    /// The cost of two pieces of work, one after the other.
    static func + (first: Cost, second: Cost) -> Cost {
        Cost(
            wall: first.wall + second.wall,
            processor: first.processor + second.processor,
            residentPeak: max(first.residentPeak, second.residentPeak),
        )
    }
}

extension Comparison {
    /// Two lines: the elapsed time, and below it the CPU time, which several threads do not reduce.
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

    /// A command's maximum resident set size, whose goal is at most 64 MB.
    static func memory(of cost: Cost) -> Comparison {
        Comparison(
            what: "  most resident memory",
            unit: .megabytes,
            ours: cost.residentPeak / 1e6,
            figure: .most(64),
        )
    }
}
