/// Runs all sides in turn, so that other load on the machine affects each of them.
struct Rounds {
    let count: Int

    /// Returns the results of each side in every round, after a warm-up round that does not count.
    func samples<Sample>(_ sides: [() throws -> Sample]) throws -> [[Sample]] {
        var samples = sides.map { _ in [Sample]() }
        for round in 0...count {
            for (index, side) in sides.enumerated() {
                let sample = try side()
                if round > 0 { samples[index].append(sample) }
            }
        }
        return samples
    }

    /// Returns the median of each side.
    func medians(_ sides: [() throws -> Double]) throws -> [Double] {
        try samples(sides).map(\.median)
    }

    func medians(
        ours: @escaping () throws -> Double,
        peer: @escaping () throws -> Double,
    ) throws -> (ours: Double, peer: Double) {
        let medians = try medians([ours, peer])
        return (medians[0], medians[1])
    }

    /// Returns the medians of each side's times, and its maximum memory in any round.
    func costs(_ sides: [() throws -> Cost]) throws -> [Cost] {
        try samples(sides).map { rounds in
            Cost(
                wall: rounds.map(\.wall).median,
                processor: rounds.map(\.processor).median,
                residentPeak: rounds.map(\.residentPeak).max() ?? .nan,
            )
        }
    }
}

extension [Double] {
    /// The median, which is the mean of the middle two for an even count; NaN for an empty array.
    var median: Double {
        guard !isEmpty else { return .nan }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
