package import Foundation

/// Measures the rate of an upload, and estimates the remaining time.
///
/// The rate is that of the last seconds; what was sent in vain and came again is not counted as
/// progress.
package struct UploadMeter: Sendable {
    /// Seconds over which the rate is taken.
    private static let span = 8.0

    private let size: Int
    private var samples: [(time: Date, offset: Int)] = []

    /// - Parameter size: bytes of the whole upload.
    package init(size: Int) {
        self.size = size
    }

    /// Notes how far it has come.
    package mutating func note(_ offset: Int, at time: Date) {
        if let last = samples.last, offset < last.offset { samples = [] }
        samples.append((time, offset))
        while samples.count > 2, time.timeIntervalSince(samples[1].time) > Self.span {
            samples.removeFirst()
        }
    }

    /// Bytes a second; nil while that is not known.
    package var rate: Double? {
        guard let first = samples.first, let last = samples.last else { return nil }
        let seconds = last.time.timeIntervalSince(first.time)
        guard seconds > 0.2, last.offset > first.offset else { return nil }
        return Double(last.offset - first.offset) / seconds
    }

    /// Seconds that the rest takes at this rate; nil while that is not known.
    package var remaining: Double? {
        guard let rate, let last = samples.last else { return nil }
        return Double(size - last.offset) / rate
    }
}
