/// The source positions of each position on one axis, and their weights.
struct Resampling {
    private(set) var sources: [Int] = []
    private(set) var weights: [Float] = []
    private var starts: [Int] = [0]

    init(from old: Int, to new: Int) {
        let ratio = Double(old) / Double(new)
        for index in 0..<new {
            if ratio >= 1 {
                average(Double(index) * ratio, Double(index + 1) * ratio, limit: old)
            } else {
                interpolate(at: (Double(index) + 0.5) * ratio - 0.5, limit: old)
            }
            starts.append(sources.count)
        }
    }

    /// Returns indices into `sources` and `weights`; the weights of a position sum to 1.
    @inline(__always)
    func taps(of index: Int) -> Range<Int> { starts[index]..<starts[index + 1] }

    private mutating func average(_ from: Double, _ to: Double, limit: Int) {
        var source = Int(from)
        while source < limit, Double(source) < to {
            let covered = min(to, Double(source + 1)) - max(from, Double(source))
            // Skips slivers that are left by rounding.
            if covered > 1e-9 {
                sources.append(source)
                weights.append(Float(covered / (to - from)))
            }
            source += 1
        }
    }

    private mutating func interpolate(at position: Double, limit: Int) {
        let left = position.rounded(.down)
        let t = position - left
        let cubic = [
            ((2 - t) * t - 1) * t / 2, ((3 * t - 5) * t * t + 2) / 2,
            ((4 - 3 * t) * t + 1) * t / 2, (t - 1) * t * t / 2,
        ]
        for (offset, weight) in cubic.enumerated() {
            sources.append(min(max(Int(left) + offset - 1, 0), limit - 1))
            weights.append(Float(weight))
        }
    }
}
