/// Runs two sides in turn, so that what else happens on the machine meets both.
struct Rounds {
    let count: Int

    /// The median of each side; a round of each that does not count comes first.
    func medians(
        ours: @escaping () throws -> Double,
        peer: @escaping () throws -> Double,
    ) throws -> (ours: Double, peer: Double) {
        let medians = try medians([ours, peer])
        return (medians[0], medians[1])
    }

    func medians(_ sides: [() throws -> Double]) throws -> [Double] {
        var values = sides.map { _ in [Double]() }
        for round in 0...count {
            for (index, side) in sides.enumerated() {
                let value = try side()
                if round > 0 { values[index].append(value) }
            }
        }
        return values.map(\.median)
    }
}

extension [Double] {
    /// The middle one, or the mean of the middle two; not a number when there is none.
    var median: Double {
        guard !isEmpty else { return .nan }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
