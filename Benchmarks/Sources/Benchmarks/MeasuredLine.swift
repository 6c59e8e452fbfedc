/// A line of the table with its identity, as `--json` prints it and `--compare` reads it.
struct MeasuredLine: Codable {
    /// Identifies a line within a run.
    struct Place: Hashable, Codable {
        /// The benchmark's name for `--only`.
        let benchmark: String
        /// The line to which this line belongs, or itself.
        let work: String
        let what: String
        let peer: String?
    }

    let place: Place
    let unit: Comparison.Unit
    let ours: Double
    let peerValue: Double?
    let ratio: Double?
    let mostRatio: Double?
    let most: Double?
    let reached: Bool?

    init(_ line: Comparison, of benchmark: String, below work: String) {
        place = Place(
            benchmark: benchmark,
            work: work,
            what: line.what.trimmingPrefix("  ").description,
            peer: line.peer?.name,
        )
        unit = line.unit
        ours = line.ours
        peerValue = line.peer?.value
        ratio = line.ratio
        if case .ratio(let figure) = line.figure { mostRatio = figure } else { mostRatio = nil }
        if case .most(let figure) = line.figure { most = figure } else { most = nil }
        reached = line.isReached
    }

    /// The factor by which the line has changed: of its ratio to the peer if there is one, as the machine may
    /// have been faster or slower on that day.
    func change(since earlier: MeasuredLine) -> Double? {
        let (now, before) =
            if let ratio, let earlierRatio = earlier.ratio { (ratio, earlierRatio) } else {
                (ours, earlier.ours)
            }
        return before > 0 && now.isFinite ? now / before : nil
    }
}
